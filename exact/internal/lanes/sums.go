package lanes

// Width is the number of partial sums in which every sum of this package is added up: number i of
// an array is added to partial sum i mod Width. It is the number of float64 in the widest vector.
const Width = 8

// partial are the partial sums of one sum.
type partial = [Width]float64

// sum adds the partial sums, halves first, as vectors of eight, four and two are added.
func sum(p *partial) float64 {
	return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]))
}

// Block is the number of values that a loop takes at a time. They stay in the cache while the loop
// passes through them once for every partial sum.
const Block = 64 * Width
