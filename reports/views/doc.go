// Package views answers: which studies are there, and how is each shown? Catalogue lists them, each with its command, sweep and view; Schemas
// lists the columns of the tables of all commands. Its rooms turn rows into reports. It computes nothing and writes no files.
package views
