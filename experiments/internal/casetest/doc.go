// Package casetest has what the tests of several studies share: cases, selections, and kernels that are in the way. Nothing
// but tests imports it.
package casetest
