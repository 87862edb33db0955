# Burst credits left, the least of each minute. Data: column 8 in millions.
width = 900; height = 420
load 'style.gp'
set xlabel 'minutes since the start'
set ylabel 'burst credits left, million'
set xrange [0:last_minute]
set yrange [0:*]
set format y '%g'
plot minutes using 1:8 with lines linetype 1 linewidth 2.5
