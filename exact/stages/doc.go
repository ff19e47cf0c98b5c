// Package stages answers: where on the way does B arise? It gives the distributions of both chains at any stage, what each
// stage adds to B, and what each stage adds to B - J, in nats. It never answers for single chains; see package weights.
package stages
