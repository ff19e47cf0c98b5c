// Package reports answers: how does it look? It turns the typed results of package experiments into one Report a study:
// tables, figures, files, notes, and the fault that was found, if any. An Output writes a report in any format, to
// standard output and to files. The package never computes a result, and knows of no flags.
//
// A table is a list of fields, each of them a column in one line (package reports/table). What all figures share is in
// package reports/figure.
package reports
