// Package views answers: which tables does each command show? Schemas lists them all, with their columns. The packages in its directory
// make them: each turns the rows of some studies into reports. It computes nothing, and writes nothing.
package views
