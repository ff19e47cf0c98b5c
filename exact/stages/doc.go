// Package stages answers: where on the way does B arise? It gives the distributions of both chains at any stage, what each
// stage adds to B, what each stage adds to B - J, in nats, and where the mass that is at a state has come from and goes. It never
// answers for the log weight of single chains; see package weights.
package stages
