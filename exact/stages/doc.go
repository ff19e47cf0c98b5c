// Package stages answers: where on the way does B arise? It gives the distributions of both chains at any stage, what each
// stage adds to B, what each stage adds to B - J, in nats, and where the mass that is at a state has come from and goes.
//
// It also answers how long a path of distributions is, and where on it the long parts are: Fisher information, friction, the
// divergences of a step along the path, and functions of beta with their integrals (Curve). These look at the path, and at a kernel
// under one distribution, and propagate no chain.
//
// It never answers for the log weight of single chains; see package weights.
package stages
