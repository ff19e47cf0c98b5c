package linear

import "math"

// BiCGStab solves A h = c by stabilised biconjugate gradients, for a matrix that need not be symmetric. The preconditioner is linear and near the
// inverse of A; it is applied before A. It ends where the residual, as the recurrences know it, is no longer than the tolerance, after the
// given number of steps of two products each, and where the recurrences break down. In place of the vectors of GMRES it keeps six, so that
// it never begins anew, and it does not stand still where GMRES does for want of vectors. Nothing promises that it converges: a caller
// computes the residual.
//
// Source: van der Vorst 1992.
func BiCGStab(apply, preconditioner Operator, c []float64, most int, tolerance float64) ([]float64, error) {
	n := len(c)
	vectors := make([][]float64, 6)
	for i := range vectors {
		vectors[i] = make([]float64, n)
	}
	h, direction, change, image, smooth, twice := vectors[0], vectors[1], vectors[2], vectors[3], vectors[4], vectors[5]
	left := append([]float64(nil), c...)
	copy(direction, left)
	both := func(dst, through, src []float64) error {
		if err := preconditioner(through, src); err != nil {
			return err
		}
		return apply(dst, through)
	}
	product := Dot(c, left)
	for range most {
		if err := both(image, change, direction); err != nil {
			return nil, err
		}
		step := product / Dot(c, image)
		if math.IsNaN(step) || math.IsInf(step, 0) {
			break
		}
		add(h, step, change)
		add(left, -step, image)
		if Norm(left) <= tolerance {
			break
		}
		if err := both(twice, smooth, left); err != nil {
			return nil, err
		}
		weight := Dot(twice, left) / Dot(twice, twice)
		if math.IsNaN(weight) || math.IsInf(weight, 0) {
			break
		}
		add(h, weight, smooth)
		add(left, -weight, twice)
		if Norm(left) <= tolerance {
			break
		}
		next := Dot(c, left)
		ratio := next / product * step / weight
		product = next
		for i, v := range left {
			direction[i] = v + float64(ratio*(direction[i]-float64(weight*image[i])))
		}
	}
	return h, nil
}
