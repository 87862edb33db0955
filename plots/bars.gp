# What a number is made of, a bar a cell: the parts side by side along it. Data: place, label, 0, where each part ends. Parts differ in
# colour and in darkness, and have an edge, so that grey is enough.
width = 1000; height = 150 + 34 * bars
load 'style.gp'
set yrange [bars + 0.6:0.4]
set xrange [0:1.12 * longest]
set xlabel axis
set ytics scale 0
set grid xtics linetype 1 linewidth 0.5 linecolor rgb '#dddddd' dashtype 1
unset grid
set border 1
set lmargin (widest > 60 ? 62 : widest + 2)
set tmargin (parts > 5 ? 6.5 : 5)
set key maxrows 2
set format y '%s'
colours = '#0072B2 #E69F00 #56B4E9 #D55E00 #F0E442 #009E73 #CC79A7 #999999 #332288 #DDCC77'
set style fill solid 1.0 border rgb '#222222'
total(end) = end >= 100 ? sprintf('%.0f', end) : end >= 1 ? sprintf('%.1f', end) : sprintf('%.2g', end)
plot for [i = 1:parts] data using ((column(i + 2) + column(i + 3)) / 2):1:(column(i + 2)):(column(i + 3)):($1 - 0.36):($1 + 0.36):ytic(2) \
     with boxxyerror linecolor rgb word(colours, i) linewidth 0.6 title part_title[i], \
     data using (column(parts + 3)):1:(' '.total(column(parts + 3))) with labels left
