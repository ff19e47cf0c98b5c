package longtest

// Failer is a test, a benchmark or a property of rapid, of which Must needs only how it fails.
type Failer interface {
	Helper()
	Fatal(args ...any)
}

// Must takes the result of a function that may fail, and returns what hands the result on, or fails the test with the error:
//
//	k := longtest.Must(kernels.Parse("metropolis", space))(t)
func Must[V any](v V, err error) func(t Failer) V {
	return func(t Failer) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// NoError fails the test with an error, where there is one.
func NoError(t Failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Sure returns what sets up a test and cannot fail, and panics with the error where it does. It is for where no test is at hand.
func Sure[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}
