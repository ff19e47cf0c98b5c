// Package reports answers: how is the result of a study shown? A Report holds all of it: tables,
// figures, files, notes, and the fault that was found, if any. An Output writes a report in any
// format, to standard output and to files. The package never computes a result, and knows of no
// flags.
//
// Each study makes its report from its rows, in its own package. A table is made of a
// list of fields; each field is a column, written in one line (package reports/table). Package
// reports/figure has the parts that all figures share.
//
// # Columns
//
// catalogue.Schemas of package cmd/catalogue lists the columns of the tables of every command, with
// the type, the unit and the meaning of each. Formats for machines have one name for one quantity
// in all studies, and numbers with all their digits. JSON is an array of flat objects; numbers that
// are not finite are the strings "+Inf" and "-Inf", and the column note says why. The note also
// says if digits are lost because J is much smaller than the steps. CSV and JSON leave out columns
// that are computed only with a flag that is not given, such as those of simulations. A subject
// that has no answer, such as a target of a list, has a row with its name and a note, and otherwise
// empty cells (study.WithFailures), and the exit code is that of the subject alone.
//
// To get log Z_T, add log Z_1 to log_z_ratio. log Z_1 depends on the initial distribution: for
// uniform it is the log of the number of states (f_1 = 1); for the prior of a model 0; for
// tempered:BETA the log of the sum of f^BETA; for a file the log of the sum of the f_1 that it
// gives; for smoothed it is log Z_T minus the largest log f, as smoothing keeps the total.
package reports
