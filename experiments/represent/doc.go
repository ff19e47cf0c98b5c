// Package represent answers: in which representation of a model is annealing best? It sets J and B of the representations of a
// model, which differ in the latent variables that are summed out, side by side against T and against work. It never prints, draws or
// reads flags.
//
// Work counts evaluations of log f. It says nothing of what one evaluation costs, which is more where variables are summed out.
//
// A collapsed sampler gives no values to the variables that are summed out. Its sample is completed by a draw of them from their
// conditional distribution, and J of the completed sample from the whole posterior is J of the collapsed one:
// models.Collapsed.Completion draws it.
//
//	$ breadboard represent --toy low -T 100
//	 toy │ representation │   T │ states │ work │   J (nats) │ B (nats) │ log(Z_T/Z_1) (nats)
//	─────┼────────────────┼─────┼────────┼──────┼────────────┼──────────┼─────────────────────
//	 low │ collapsed      │ 100 │     49 │ 1189 │ 7.77357e-5 │ 0.140215 │            -5.97804
//	 low │ uncollapsed    │ 100 │   2401 │ 2377 │ 0.00483272 │ 0.565537 │            -5.97804
//
// Source: Grosse, Ancha and Roy 2016, section 5.2.1.
package represent
