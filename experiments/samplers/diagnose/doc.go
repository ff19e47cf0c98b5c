// Package diagnose answers: what do the usual diagnostics of convergence say of a chain, and what is the truth? Beside each diagnostic of
// simulated chains it sets the exact real effective sample size (RESS), and, without any simulation, the exact expectations of what
// enters the diagnostics and what those give. It also diagnoses the user's own draws, of which no truth is known. It never prints and
// reads no flags.
//
// An effective sample size (ESS) is computed from the draws alone, and RESS from the errors that chains make on average. Where chains stay
// in one part of the space the first cannot know of the second:
//
//	$ breadboard samplers diagnose --toy barrier --kernel metropolis,heatbath --start target -N 1000
//	 toy     │ kernel     │ start  │ function │    N │ ESS/chain │ ESS bulk │ R-hat │ Geweke │    ESSD │ ESS of means │  RESS
//	─────────┼────────────┼────────┼──────────┼──────┼───────────┼──────────┼───────┼────────┼─────────┼──────────────┼───────
//	 barrier │ metropolis │ target │ x0       │ 1000 │       147 │     17.9 │ 1.483 │ 0.3956 │   32.83 │        148.3 │ 1.522
//	 barrier │ heatbath   │ target │ x0       │ 1000 │     230.2 │     2170 │ 1.004 │  2.847 │ -0.5404 │        239.5 │ 230.5
//
// ESS/chain is of a chain by itself and RESS of its mean; ESS bulk is of all eight chains.
//
// Source: Turner and Neal 2017, section 5.
package diagnose
