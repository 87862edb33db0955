# docs/scaling.svg from what tests/bench/handout prints:
#   handout 400 >metrics.csv; handout 9000 >logons.csv
#   gnuplot -e "metrics='metrics.csv'; logons='logons.csv'" tests/bench/handout.gp >docs/scaling.svg
if (!exists("picture")) picture = "svg size 960,460 font 'Helvetica,13' name 'scaling' background '#ffffff'"
eval "set terminal " . picture
set datafile separator ","
set linetype 1 lc rgb "#0072B2" lw 2 dt 1 pt 7 ps 0.7
set linetype 2 lc rgb "#D55E00" lw 2 dt 2 pt 5 ps 0.7
set linetype 3 lc rgb "#009E73" lw 2 dt 3 pt 9 ps 0.8
set linetype 4 lc rgb "#CC79A7" lw 2 dt 4 pt 11 ps 0.8
set linetype 5 lc rgb "#56B4E9" lw 2 dt 5 pt 13 ps 0.9
array seconds[5] = [0.01, 0.1, 1, 10, 100]
array names[5] = ["units of 10 ms", "0.1 s", "1 s", "10 s", "100 s"]
ranks(i) = (column("unit_s") == seconds[i] ? column("ranks") : NaN)
set logscale x
set xlabel "ranks"
set xtics (10, 20, 50, 100, 200, 500, "1,000" 1000, "2,000" 2000, "5,000" 5000, "10,000" 10000) rotate by -45
set xrange [9:11500]
set yrange [0:1.05]
set grid ytics lc rgb "#dddddd"
set key below samplen 2 maxrows 2
set multiplot layout 1,2
set ylabel "share of all ranks' time in which units run"
set title "rank 0 takes 0.4 ms a unit: a few logons into an archive"
plot for [i=1:5] metrics using (ranks(i)):"efficiency" with linespoints lt i title names[i]
unset ylabel
set title "rank 0 takes 9 ms a unit: 1,000 logons into an archive"
plot for [i=1:5] logons using (ranks(i)):"efficiency" with linespoints lt i title names[i]
unset multiplot
