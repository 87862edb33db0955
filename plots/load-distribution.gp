# How many of all logons had loaded within how long; one curve a cell, ending below 100 % where some had not finished
# when the run ended. Data: one index a cell,
# its title in the heading, then s and %.
width = 1100; height = 500
load 'style.gp'
data = 'load-distribution.dat'
set xlabel 'profile load, s'
set ylabel 'logons loaded within that time, % of all'
set xrange [0:*]
set yrange [0:100]
set key outside right center vertical maxrows 24 Left reverse
# The colour and the marks tell the block, the dashes the cell within it.
colours = '#0072B2 #D55E00 #009E73 #CC79A7 #E69F00 #56B4E9'
set dashtype 2 (9,4)
set dashtype 3 (3,3)
set dashtype 4 (12,3,3,3)
set dashtype 5 (6,2,2,2,2,2)
colour(i) = word(colours, (blocks > 1 ? block_of[i + 1] : i) % 6 + 1)
dash(i) = (blocks > 1 ? within_block[i + 1] : i) % 5 + 1
mark(i) = word('7 4 9 12 5 10', (blocks > 1 ? block_of[i + 1] : i) % 6 + 1) + 0
plot for [i = 0:curves - 1] data index i using 1:2 with linespoints linewidth 2 linecolor rgb colour(i) \
     dashtype dash(i) pointtype mark(i) pointsize 0.9 pointinterval 40 title columnheader(1)
