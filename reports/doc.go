// Package reports answers: how does it look? It turns the typed results of package experiments into tables,
// figures and files. It never computes a result.
package reports
