// Package conform answers: does somebody else's implementation of annealed importance sampling do what the task says, and
// if it does not, what does it do instead? Chains that were made elsewhere are tested against the exact laws of a task (see
// New), in every way that their columns allow: both ends, the log weights, all of these together, independence, and
// the transitions and increments of whole paths. The tests are e-processes: over all of them, and at whatever time one looks,
// a false alarm has at most a probability of alpha. Beside the verdict stand the odds of every known way to get it wrong
// (package hypotheses), and what a pass is worth: which deviations would have been found.
//
// New makes a task of one annealing: what an implementer has to know to write it in another language. Files is the folder that he
// gets: log f, betas, the exact matrix of the kernel at every stage, all conventions in words, one chain of each direction worked
// out with every number, and programs with blanks. Read rebuilds the annealing from the folder, and refuses a folder whose numbers
// are not those of the annealing that it names, bit for bit. It starts a program that a folder names only if its caller says so.
//
// Estimates of Z by any algorithm are held to what is claimed of them (ClaimForms, package eprocess).
//
// It never compares with a tolerance, but for the rounding of the numbers that were sent, and never says that an
// implementation is right: only what was tested, and what would have been seen.
package conform
