// Package casetest has what the tests of several studies share: cases, selections, kernels with a fault, and a Python to run. Nothing
// but tests imports it.
package casetest
