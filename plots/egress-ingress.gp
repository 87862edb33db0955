# Bytes out of and into the store, minute by minute, against the limits. Data: columns 4 and 5 in MiB/s.
width = 900; height = 420
load 'style.gp'
set xlabel 'minutes since the start'
set ylabel 'MiB/s'
set xrange [0:last_minute]
set yrange [0:*]
plot minutes using 1:4 with lines linetype 1 title 'egress (read)', \
     minutes using 1:5 with lines linetype 2 title 'ingress (written)', \
     for [i = 1:strlen(egress_limit_title) > 0] egress_limit with lines linestyle 20 title egress_limit_title, \
     for [i = 1:strlen(ingress_limit_title) > 0] ingress_limit with lines linestyle 21 title ingress_limit_title
