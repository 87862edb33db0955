# Requests per second, minute by minute, against the limits. Data: minute, mean IOPS, IOPS of the busiest second.
width = 900; height = 420
load 'style.gp'
set xlabel 'minutes since the start'
set ylabel 'requests per second (IOPS)'
set xrange [0:last_minute]
set yrange [0:*]
plot minutes using 1:2 with lines linetype 1 title 'mean of the minute', \
     minutes using 1:3 with lines linetype 2 title 'busiest second', \
     for [i = 1:strlen(iops_limit_title) > 0] iops_limit with lines linestyle 20 title iops_limit_title, \
     for [i = 1:strlen(iops_burst_limit_title) > 0] iops_burst_limit with lines linestyle 21 \
         title iops_burst_limit_title
