// Package inference answers: what does a study of approximate inference show? It turns the rows of AIDE, and of the studies made of it,
// into reports. It computes nothing that a study has not.
package inference
