// Package geometry answers: how long is a path of distributions, and where? It gives Fisher information, friction, the
// divergences of a step along the path, and functions of beta with their integrals. It looks at the path and at a kernel
// under one distribution; what annealing with some schedule comes to is package exact's to say.
package geometry
