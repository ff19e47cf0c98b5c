// Package geweke answers: do a model, its simulator and a kernel on its latent variables belong together? It is the joint distribution test
// of Geweke (2004), which Grosse, Ghahramani and Adams (2015, Appendix B) recommend for every sampler of a posterior. It never prints,
// draws or reads flags.
//
// There are two ways to draw latent variables z and data y from their joint distribution. Forward, z is from the prior and y from the model
// given z. The other begins with such a draw and alternates: z moves by the kernel under p(z|y), and y is drawn anew given z. If all
// is right, both have exactly the same law after any number of rounds. As the data are drawn anew from what a faulty kernel has made of
// z, a small bias grows from round to round.
//
// Each chain gives one value of each statistic, at its end, and is ranked among some forward draws of its own. Where all is right, the
// rank is uniform, ties broken at random; so is the state of z a draw from the prior. Both are tested by e-processes.
//
//	$ breadboard geweke --toy clu4 --draws 512 -v
//	pass: clu4 with heatbath-scan: 9 pass, 0 fault, in 512 chains
//	 toy  │ kernel        │ chains │ finding            │    value │ tolerance │ verdict │ where
//	──────┼───────────────┼────────┼────────────────────┼──────────┼───────────┼─────────┼─────────────
//	 clu4 │ heatbath-scan │    512 │ mean_y             │    0.642 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ mean_y2            │    0.733 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ mean_y4            │    0.674 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ product_of_rows    │    0.695 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ log_joint          │    0.816 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ state              │    0.641 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ clusters_used      │    0.841 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ pairs_in_a_cluster │    0.816 │     8e+06 │ pass    │ 512 chains
//	 clu4 │ heatbath-scan │    512 │ invariance         │ 1.39e-17 │     1e-12 │ pass    │ 3 data sets
//
// Models of any size, those of package latent, have no states that could be listed, and no kernel but their scan. The test is the same, with
// numbers that the latent variables and the hyperparameters have. Beside it stands one of the time reversal of the scan: with z and z' from
// the joint distribution, (z, Move(z)) has the same law as (Back(z'), z'), exactly if Back is the time reversal of Move. A Back
// that makes the parts of Move in their order leaves p(z|y) as it is, so that only this test sees it. Its statistic is how much likelier
// the early variables of a pair's end are with the late ones of its beginning than the other way round, as a logarithm: a scan goes
// through the former state, and its reversal through the latter.
//
// A check of the kernel alone (package kernelcheck) sees whether it leaves p(z|y) invariant, exactly, and says where it does not. It does
// not see whether p(z|y) is the posterior of the model that the data come from: a wrong variance in the likelihood passes there, and
// fails here. The finding "invariance" is that check, for some data that were drawn.
package geweke
