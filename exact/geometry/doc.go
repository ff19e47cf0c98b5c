// Package geometry answers: how long is a path of distributions, and where on it are the long parts? It gives Fisher
// information, friction, the divergences of a step along the path, and functions of beta with their integrals. It looks
// at the path and at a kernel under one distribution. It never propagates a chain: package exact does.
package geometry
