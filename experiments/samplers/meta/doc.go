// Package meta answers: what do the diagnostics of a chain say of how far its mean is off, taken together?
package meta
