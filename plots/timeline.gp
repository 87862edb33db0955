# A morning on one clock: load times on top, below them what the store did. Panels without data are left out.
width = 1000
panels = 2 + has_logons + has_credits + has_throttled
height = 190 * panels + 150
load 'style.gp'
unset title
set xrange [0:last_minute]
set yrange [0:*]
set lmargin 11
set rmargin 3
if (!has_throttled) { subtitle = subtitle.(unfinished_count > 0 ? '; no answered request throttled' : '; nothing throttled') }
set multiplot layout panels,1 title heading."\n".subtitle margins 0.09,0.97,75.0 / height,1 - 105.0 / height spacing 0,56.0 / height
set format x ''
if (has_logons) {
    set ylabel 'profile load, s'
    dot_size = 0.22; mark_height = 0.96
    load 'loads.gp'
    set yrange [0:*]
    set ytics nomirror out textcolor rgb '#222222'
}
set ylabel 'IOPS'
plot minutes using 1:2 with lines linetype 1 title 'mean of the minute', \
     minutes using 1:3 with lines linetype 2 title 'busiest second', \
     for [i = 1:strlen(iops_limit_title) > 0] iops_limit with lines linestyle 20 title iops_limit_title, \
     for [i = 1:strlen(iops_burst_limit_title) > 0] iops_burst_limit with lines linestyle 21 \
         title iops_burst_limit_title
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
     for [i = 1:strlen(egress_limit_title) > 0] egress_limit with lines linestyle 20 title egress_limit_title, \
     for [i = 1:strlen(ingress_limit_title) > 0] ingress_limit with lines linestyle 21 title ingress_limit_title
if (has_throttled) {
    set format x '%g'
    set xlabel 'minutes since the start'
    set ylabel 'throttled /s'
    set format y '%g'
    plot minutes using 1:9 with lines linetype 1 title 'IOPS', minutes using 1:10 with lines linetype 2 title 'egress', \
         minutes using 1:11 with lines linetype 3 title 'ingress', \
         minutes using 1:12 with lines linetype 4 title 'metadata', minutes using 1:13 with lines linetype 5 title 'other'
}
unset multiplot
