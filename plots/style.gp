# What all pictures share. Before it: format ('svg' or 'png'), name, width, height.
# Colours of Okabe and Ito, each with a dash type and a point shape of its own, so that grey is enough.
set encoding utf8
if (format eq 'svg') {
    set terminal svg size width,height font 'Helvetica,Arial,sans-serif,14' linewidth 1.2 background '#ffffff' \
        noenhanced name svg_name
} else {
    set terminal pngcairo size width,height font 'Sans,11' linewidth 1.2 background '#ffffff' noenhanced
}
set output name.'.'.format

set linetype 1 linecolor rgb '#0072B2' dashtype 1 pointtype 7 linewidth 2
set linetype 2 linecolor rgb '#D55E00' dashtype (9,4) pointtype 5 linewidth 2
set linetype 3 linecolor rgb '#009E73' dashtype (3,3) pointtype 9 linewidth 2.4
set linetype 4 linecolor rgb '#CC79A7' dashtype (12,3,3,3) pointtype 13 linewidth 2
set linetype 5 linecolor rgb '#E69F00' dashtype (6,2) pointtype 11 linewidth 2.4
set linetype 6 linecolor rgb '#56B4E9' dashtype (2,4) pointtype 15 linewidth 2.4

set style line 20 linecolor rgb '#000000' linewidth 1.2 dashtype (14,4)   # a limit
set style line 21 linecolor rgb '#000000' linewidth 1.2 dashtype (2,3)    # a second limit
set style line 22 linecolor rgb '#999999' linewidth 0.8                   # a mark
set border 3 linecolor rgb '#444444'
set tics nomirror out textcolor rgb '#222222'
set grid ytics linetype 1 linewidth 0.5 linecolor rgb '#dddddd' dashtype 1
set datafile separator "\t"
# The key stands in the strip between the title and the picture, where no data are.
set key noautotitle at graph 0,1.0 left bottom horizontal Left reverse samplen 3 height 0.4
set format y '%.0f'
if (exists('heading')) set title heading offset 0,1.6
if (exists('subtitle')) set title heading."\n".subtitle offset 0,1.6
set tmargin (exists('subtitle') ? 6.5 : 5)
