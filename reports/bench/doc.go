// Package bench answers: what does an annealing do that somebody describes in a browser? It serves a page, and behind it an HTTP API whose
// answers are the rows of the commands, computed anew for each request. It keeps no state between requests, reads no files, starts no
// programs, and never computes anything itself.
package bench
