# Requests per second, minute by minute, against the limits. Data: minute, mean IOPS, IOPS of the busiest second.
width = 900; height = 420
load 'style.gp'
set xlabel 'minutes since the start'
set ylabel 'requests per second (IOPS)'
set xrange [0:last_minute]
set yrange [0:*]
set decimalsign '.'
limit(x, y) = y > 0 ? y : NaN
plot minutes using 1:2 with lines linetype 1 title 'mean of the minute', \
     minutes using 1:3 with lines linetype 2 title 'busiest second', \
     minutes using 1:(limit($1, iops_limit)) with lines linestyle 20 title (iops_limit > 0 ? 'limit' : ''), \
     minutes using 1:(limit($1, iops_burst_limit)) with lines linestyle 21 title (iops_burst_limit > 0 ? 'limit in a burst' : '')
