package simulate_test

import _ "breadboard/grid/longtest" // the flag -long, and fixed seeds

// must returns what a function has made, and panics where it has returned an error.
func must[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}
