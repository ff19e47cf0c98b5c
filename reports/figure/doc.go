// Package figure answers: how is a figure drawn? It has the parts that all figures share: pages and their encodings, axes,
// curves, histograms, tiles, cells and colours. It never computes what it draws, and knows of no study.
package figure
