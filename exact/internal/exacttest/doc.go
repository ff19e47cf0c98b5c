// Package exacttest holds what the tests of package exact and of the packages in its directory share: annealings, random
// problems, unusual kernels and slow references. Only tests import it.
package exacttest
