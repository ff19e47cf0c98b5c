// Package exacttest has what the tests of several rooms of package exact share: annealings, random problems, odd kernels and
// slow references. Nothing but tests imports it.
package exacttest
