package experiments

// Measure is a value that a study stores, with where it stands in a row of the study.
type Measure[R any] struct {
	Value
	From func(r *R) float64
}

// ValuesOf returns the values of measures, in their order.
func ValuesOf[R any](measures []Measure[R]) []Value {
	out := make([]Value, len(measures))
	for i, m := range measures {
		out[i] = m.Value
	}
	return out
}

// NumbersOf returns the numbers of a row that measures name, in their order.
func NumbersOf[R any](measures []Measure[R], r *R) []float64 {
	out := make([]float64, len(measures))
	for i, m := range measures {
		out[i] = m.From(r)
	}
	return out
}
