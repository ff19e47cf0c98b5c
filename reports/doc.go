// Package reports answers: how is the result of a study shown? It turns the typed results of package experiments into one
// Report a study: tables, figures, files, notes, and the fault that was found, if any. An Output writes a report in any
// format, to standard output and to files. The package never computes a result, and knows of no flags.
//
// A table is made of a list of fields; each field is a column, written in one line (package reports/table). Package
// reports/figure has what all figures share.
package reports
