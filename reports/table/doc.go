// Package table answers: how is a table written? From typed rows and a list of fields, one for each column, it makes text,
// Markdown and LaTeX for people, and CSV, JSON and Parquet for machines. It never computes the value of a cell, and
// knows of no study.
package table
