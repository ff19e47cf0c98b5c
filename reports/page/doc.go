// Package page answers: how does what runs have written look in a browser, as one file that one can hand on? It reads the folders of runs and
// sweeps and single tables, and writes HTML that has everything within: tables that sort and filter, figures, the data with all digits, and
// how each was made. The page asks nothing of any other place, and runs no script but its own.
//
// What it reads may come from anybody. Files are of bounded size, names lead nowhere else than into their folder, text is text, and a figure is
// shown only where it has nothing that figures of this program have not.
package page
