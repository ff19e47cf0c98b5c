// Package lanes answers: what do a few loops over long arrays of numbers give, and how fast can this processor run them?
// Each loop does the same operations in the same order wherever it runs, so that its results have the same bytes. It knows
// nothing of chains, and never multiplies and adds with one rounding.
package lanes
