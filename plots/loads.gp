# The load times of the logons at their start, as load-time.gp and timeline.gp draw them. Before it: dot_size, mark_height
# (of the marks of logons without a load time, 1 the top edge).
set y2range [0:1]
finished_part = "logons using 1:2 with points pointtype 7 pointsize dot_size linecolor rgb '#999999' title 'a logon', ".\
    "logons using 1:3 with lines linetype 1 linewidth 2.5 title 'mean over the previous minute'"
unfinished_part = "unfinished using 1:(mark_height) axes x1y2 with points pointtype 2 pointsize 0.6 ".\
    "linecolor rgb '#D55E00' title sprintf('%d not finished when the run ended', unfinished_count)"
if (finished_count == 0) { set yrange [0:1]; unset ytics }
eval 'plot '.(finished_count > 0 ? finished_part : '').(finished_count > 0 && unfinished_count > 0 ? ', ' : '').\
    (unfinished_count > 0 ? unfinished_part : '')
