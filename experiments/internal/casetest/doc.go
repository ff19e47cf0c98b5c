// Package casetest has what the tests of several studies share: cases, selections, and kernels with a fault. Nothing
// but tests imports it.
package casetest
