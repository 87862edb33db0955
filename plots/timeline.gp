# A morning on one clock: load times on top, below them what the store did. Panels without data are left out.
width = 1000
panels = 2 + has_logons + has_credits + has_throttled
height = 170 * panels + 120
load 'style.gp'
unset title
set xrange [0:last_minute]
set yrange [0:*]
set lmargin 11
set rmargin 3
set multiplot layout panels,1 title heading."\n".subtitle margins 0.09,0.97,75.0 / height,1 - 75.0 / height spacing 0,34.0 / height
set format x ''
if (has_logons) {
    set ylabel 'profile load, s'
    plot logons using 1:2 with points pointtype 7 pointsize 0.22 linecolor rgb '#999999' title 'a logon', \
         logons using 1:3 with lines linetype 1 linewidth 2.5 title 'mean over the previous minute'
}
set ylabel 'IOPS'
plot minutes using 1:2 with lines linetype 1 title 'mean of the minute', \
     minutes using 1:3 with lines linetype 2 title 'busiest second', \
     for [i = 1:iops_limit > 0] minutes using 1:(iops_limit) with lines linestyle 20 title 'limit', \
     for [i = 1:iops_burst_limit > 0] minutes using 1:(iops_burst_limit) with lines linestyle 21 title 'limit in a burst'
if (has_credits) {
    set ylabel 'credits, million'
    set format y '%g'
    plot minutes using 1:8 with lines linetype 3 title 'burst credits left'
    set format y '%.0f'
}
if (!has_throttled) {
    set format x '%g'
    set xlabel 'minutes since the start'
}
set ylabel 'MiB/s'
plot minutes using 1:4 with lines linetype 1 title 'egress (read)', \
     minutes using 1:5 with lines linetype 2 title 'ingress (written)', \
     for [i = 1:egress_limit > 0] minutes using 1:(egress_limit) with lines linestyle 20 title 'egress limit', \
     for [i = 1:ingress_limit > 0] minutes using 1:(ingress_limit) with lines linestyle 21 title 'ingress limit'
if (has_throttled) {
    set format x '%g'
    set xlabel 'minutes since the start'
    set ylabel 'throttled /s'
    plot minutes using 1:9 with lines linetype 1 title 'IOPS', minutes using 1:10 with lines linetype 2 title 'egress', \
         minutes using 1:11 with lines linetype 3 title 'ingress', \
         minutes using 1:12 with lines linetype 4 title 'metadata', minutes using 1:13 with lines linetype 5 title 'other'
}
unset multiplot
