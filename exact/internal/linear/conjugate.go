package linear

// Conjugate solves A h = c by conjugate gradients, for a matrix that is symmetric and positive definite on the space, in
// which c lies. It calls enough after every step, with the square of the length of the residual c - A h and with <c, h>,
// as the recurrences know them, and ends where that returns true, or after the given number of steps. The product <c, h>
// grows to <c, A^-1 c> from below. A caller that needs to know how accurate h is computes the residual anew.
//
// Source: Hestenes and Stiefel 1952; the product is Gauss quadrature, Golub and Meurant 2010, section 9.
func Conjugate(apply Operator, space Space, c []float64, most int, enough func(square, product float64) bool) (h []float64, err error) {
	n := space.N
	h = make([]float64, n)
	residual := append([]float64(nil), c...)
	space.Project(residual)
	direction, image := append([]float64(nil), residual...), make([]float64, n)
	square, product := Dot(residual, residual), 0.0
	for range most {
		if square == 0 || enough(square, product) {
			break
		}
		if err := apply(image, direction); err != nil {
			return nil, err
		}
		curvature := Dot(direction, image)
		if !(curvature > 0) {
			break // nothing but rounding is left of the direction
		}
		step := square / curvature
		add(h, step, direction)
		add(residual, -step, image)
		space.Project(residual)
		product += step * square
		last := square
		square = Dot(residual, residual)
		ratio := square / last
		for i, r := range residual {
			direction[i] = r + float64(ratio*direction[i])
		}
	}
	space.Project(h)
	return h, nil
}
