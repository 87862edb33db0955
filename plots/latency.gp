# Mean latency of the requests of each minute. Data: column 6 at the server, 7 end to end, in ms.
width = 900; height = 420
load 'style.gp'
set xlabel 'minutes since the start'
set ylabel 'mean latency, ms'
set xrange [0:last_minute]
set yrange [0:*]
set format y '%g'
plot minutes using 1:6 with lines linetype 1 title 'server', \
     minutes using 1:7 with lines linetype 2 title 'end to end (with the network)'
