// Package diagnose answers: what do the usual diagnostics of convergence say of a chain, and what is the truth? Beside each diagnostic of
// simulated chains it sets the exact real effective sample size (RESS), and, without any simulation, the exact expectations of what
// enters the diagnostics and what those give. It also diagnoses the user's own draws, of which no truth is known. It never prints and
// reads no flags.
//
// Source: Turner and Neal 2017, section 5.
package diagnose
