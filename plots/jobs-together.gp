# Jobs of several kinds on the same stores, a panel a kind, a bar a cell in the same order in each: read down a cell to see who is
# hurt in it. Data: place, label, the time of each kind.
width = 1000; height = 90 + panels * (60 + 22 * bars)
load 'style.gp'
unset title
set yrange [bars + 0.6:0.4]
set ytics scale 0
unset grid
set border 1
set format y '%s'
set style fill solid 1.0 border rgb '#222222'
colours = '#0072B2 #E69F00 #56B4E9'
total(value) = value >= 100 ? sprintf('%.0f', value) : value >= 10 ? sprintf('%.1f', value) : sprintf('%.2f', value)
left = (widest > 60 ? 0.5 : 0.03 + 0.0078 * widest)
set multiplot layout panels,1 title heading margins left,0.97,60.0 / height,1 - 50.0 / height spacing 0,60.0 / height
do for [i = 1:3] {
    if (longest[i] > 0) {
        set xrange [0:1.12 * longest[i]]
        set xlabel axis[i] offset 0,0.3
        plot 'jobs-together.dat' using (column(i + 2) / 2):1:(0):(column(i + 2)):($1 - 0.36):($1 + 0.36):ytic(2) with boxxyerror \
             linecolor rgb word(colours, i) linewidth 0.6, \
             '' using (column(i + 2)):1:(column(i + 2) > 0 ? ' '.total(column(i + 2)) : ' none') with labels left
    }
}
unset multiplot
