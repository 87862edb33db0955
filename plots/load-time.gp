# The load time of each logon at its start, and the mean over the minute before. Data: minute, s, moving average in s;
# of logons that had not finished when the run ended the start alone, marked at the top edge.
width = 900; height = 460
load 'style.gp'
set xlabel 'minutes since the start'
set ylabel 'profile load, s'
if (last_minute > 0) { set xrange [0:last_minute] } else { set xrange [0:*] }
set yrange [0:*]
dot_size = 0.25; mark_height = 0.98
load 'loads.gp'
