# Predicted against published, cell by cell: the mean with its 95 % interval (thick), where one run would lie (thin), and
# the published value as a hollow mark. Data: x, label, mean, ci low, ci high, one run low, high, published, remark. Without
# intervals (too few runs, or unfinished logons) the mean stands alone.
width = 1000; height = 520
load 'style.gp'
data = 'predicted.dat'
set xrange [0.3:last_place + 0.7]
if (is_log) { top = 10 ** ceil(log10(top)); set logscale y; set format y '%g' }
set yrange [(is_log ? 10 ** floor(log10(smallest)) : 0):top]
set ylabel axis
if (rotate_labels) { set xtics rotate by -35 scale 0 } else { set xtics scale 0 }
if (is_seconds) {
    if (top > 10) {
        set arrow from graph 0, first 10 to graph 1, first 10 nohead linestyle 22 back
        set label '10 s' at graph 1.002, first 10 textcolor rgb '#777777'
    }
    if (top > 30) {
        set arrow from graph 0, first 30 to graph 1, first 30 nohead linestyle 22 back
        set label '30 s: poor' at graph 1.002, first 30 textcolor rgb '#777777'
    }
    set rmargin 9
}
set xlabel places
one_run = "data using 1:($6 == $6 ? $3 : NaN):6:7 with yerrorbars linetype 1 linewidth 1.2 pointsize 0 title 'one run, 95 %', "
interval = "data using 1:($4 == $4 ? $3 : NaN):4:5 with yerrorbars linetype 1 linewidth 4 pointsize 0.9 ".\
    "title 'predicted mean, 95 %', "
mean = "data using 1:3:xtic(2) with points linetype 1 pointsize 0.9 ".\
    (has_intervals ? "notitle" : "title 'predicted mean'")
remark = ", data using 1:3:9 with labels offset 0,0.9 font ',10'"
published = ", data using 1:8 with points pointtype 4 pointsize 1.8 linewidth 2 linecolor rgb '#D55E00' title 'published'"
eval 'plot '.(has_intervals ? one_run.interval : '').mean.(has_remarks ? remark : '').(has_published ? published : '').\
    ", 'predicted-blocks.dat' using 1:(is_log ? top * 0.7 : top * 0.95):2 with labels font ',13'"
