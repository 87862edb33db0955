# The load time of each logon at its start, and the mean over the minute before. Data: minute, s, moving average in s.
width = 900; height = 460
load 'style.gp'
set xlabel 'minutes since the start'
set ylabel 'profile load, s'
if (last_minute > 0) { set xrange [0:last_minute] } else { set xrange [0:*] }
set yrange [0:*]
plot logons using 1:2 with points pointtype 7 pointsize 0.25 linecolor rgb '#999999' title 'a logon', \
     logons using 1:3 with lines linetype 1 linewidth 2.5 title 'mean over the previous minute'
