# Who asks what of the stores that several workloads share, minute by minute: what leaves a store above the axis, what is written to
# it below, stacked by workload; under it how long a request of each takes, and on top what becomes of the logons meanwhile.
# Data: a block a store; minute, MiB/s out, MiB/s in and mean time of a request in ms of each workload, each minute twice, at
# its beginning and end.
width = 1000
has_logons = finished_count + unfinished_count > 0
gap = 62
height = 100 + has_logons * (150 + gap) + stores * (270 + gap + 150 + gap)
load 'style.gp'
unset title
colours = '#0072B2 #E69F00 #56B4E9 #009E73 #D55E00 #CC79A7 #999999'
set linetype 1 linecolor rgb '#222222'
set xrange [0:last_minute]
set lmargin at screen 0.09
set rmargin at screen 0.97
set multiplot title heading."\n".subtitle
set format x ''
# Panels from the top down, in pixels.
top = 105.0
if (has_logons) {
    set tmargin at screen 1 - top / height
    set bmargin at screen 1 - (top + 150) / height
    top = top + 150 + gap
    set ylabel 'profile load, s'
    set format y '%g'
    set yrange [0:*]
    dot_size = 0.22; mark_height = 0.96
    load 'loads.gp'
    set ytics nomirror out textcolor rgb '#222222'
}
stacked(i, side) = sum [k = 1:i] column(1 + side * workloads + k)
do for [s = 1:stores] {
    set tmargin at screen 1 - top / height
    set bmargin at screen 1 - (top + 270) / height
    top = top + 270 + gap
    set yrange [*:*]
    set ylabel 'store '.store_name[s].", MiB/s\n(read above 0, written below)"
    set format y '%.0f'
    plot for [i = workloads:1:-1] parts index s - 1 using 1:(stacked(i, 0)) with filledcurves y1=0 \
             fillcolor rgb word(colours, i) fillstyle solid 1.0 noborder title workload_name[i], \
         for [i = workloads:1:-1] parts index s - 1 using 1:(-stacked(i, 1)) with filledcurves y1=0 \
             fillcolor rgb word(colours, i) fillstyle solid 1.0 noborder, \
         0 with lines linecolor rgb '#222222' linewidth 0.8 dashtype 1
    if (s == stores) {
        set format x '%g'
        set xlabel 'minutes since the start'
    }
    set tmargin at screen 1 - top / height
    set bmargin at screen 1 - (top + 150) / height
    top = top + 150 + gap
    set ylabel 'a request takes, ms'
    set logscale y
    set format y '%g'
    # Those in front are thinner, so that equal ones are all seen.
    plot for [i = 1:workloads] parts index s - 1 using 1:(column(1 + 2 * workloads + i)) with lines linetype 1 \
             linewidth 1.5 + 1.5 * (workloads - i) linecolor rgb word(colours, i) title workload_name[i]
    unset logscale y
}
unset multiplot
