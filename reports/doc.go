// Package reports answers: how is the result of a study shown? It turns the typed results of package experiments into one
// Report a study: tables, figures, files, notes, and the fault that was found, if any. An Output writes a report in any
// format, to standard output and to files. The package never computes a result, and knows of no flags.
//
// A table is made of a list of fields; each field is a column, written in one line (package reports/table). Package
// reports/figure has what all figures share.
//
// # Fields
//
// Formats for machines have one name for one quantity in all studies, and numbers with all their digits. JSON is an array of
// flat objects; numbers that are not finite are the strings "+Inf", "-Inf" and "NaN", and note says why. Where J is so small
// beside the steps that digits are lost, note says that too. An annealing is known by
//
//	toy, T, path, initial, schedule, kernel
//	                        as on the command line, in canonical form
//	J, B                    the Jeffreys divergence of the output from the target, and the bound on it
//	kl_q_p, kl_p_q          KL of the sampler's output q from the target p, and of p from q; J is the sum
//	mean_log_w_forward, mean_log_w_reverse
//	                        the mean log weight in either direction; B is the second less the first
//	log_z_ratio             log(Z_T/Z_1)
//	B_over_J                B/J
//	relative_error          B/J - 1, the relative error of B
//	relative_error_rounded  the same of J and B at three digits, as the paper rounds
//	dominant_mode_mass      the target's mass there, where the toy names a dominant mode
//	J_printed, B_printed, relative_error_printed, dominant_mode_mass_printed
//	                        what the paper prints of each
//	as_printed              whether all that is printed comes out
//	digits_J, digits_B, digits_kl_q_p, digits_kl_p_q
//	                        with certificates: how many decimal digits are right
//	note                    what the numbers cannot say
//
// All are in nats where they have a unit. log Z_T is log_z_ratio plus log Z_1: from uniform f_1 = 1, and log Z_1 is the log of
// the number of states; from tempered:BETA it is that of f^BETA, from a file that of the file; from smoothed it is log Z_T less
// the largest log f, as the filter keeps the mass.
package reports
