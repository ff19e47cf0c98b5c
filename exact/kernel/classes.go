package kernel

import "context"

// classes counts the communicating classes of the states of positive probability and finds the period of the class of
// the likeliest one. Time is O(entries).
func (d *Diagnosis) classes(ctx context.Context) error {
	classOf, err := d.components(ctx)
	if err != nil {
		return err
	}
	likeliest := d.on[0]
	for _, x := range d.on {
		if d.invariantP[x] > d.invariantP[likeliest] {
			likeliest = x
		}
	}
	// The period is the greatest common divisor of what the distances from one state of the class lack of being one more
	// after every move.
	distance := make([]int, d.States)
	for x := range distance {
		distance[x] = -1
	}
	distance[likeliest] = 0
	queue := append(make([]int, 0, len(d.on)), likeliest)
	for at := 0; at < len(queue); at++ {
		if at%looks == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x := queue[at]
		for _, e := range d.rows.Row(x) {
			if e.P > 0 && classOf[e.To] == classOf[x] && distance[e.To] < 0 {
				distance[e.To] = distance[x] + 1
				queue = append(queue, e.To)
			}
		}
	}
	for _, x := range queue {
		for _, e := range d.rows.Row(x) {
			if e.P > 0 && classOf[e.To] == classOf[x] {
				d.Period = gcd(d.Period, distance[x]+1-distance[e.To])
			}
		}
	}
	return nil
}

// components numbers the classes of states that reach each other, sets d.Classes to the number of those with a state of
// positive probability, and returns the number of the class of every such state. Moves from other states do not count, and
// such states have numbers below zero.
//
// Source: Tarjan 1972, with a stack of its own in place of recursion.
func (d *Diagnosis) components(ctx context.Context) ([]int, error) {
	n := d.States
	classOf, found, low := make([]int, n), make([]int, n), make([]int, n)
	next := make([]int, n) // the entry of its row at which the search of a state goes on
	for x := range classOf {
		classOf[x] = -1
	}
	positive := make([]bool, n)
	for _, x := range d.on {
		positive[x] = true
	}
	var path, open []int // the states between the root and here, and those whose class is not known yet
	number, work := 0, 0
	for _, root := range d.on {
		if found[root] > 0 {
			continue
		}
		path = append(path[:0], root)
		for len(path) > 0 {
			if work++; work%looks == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			x := path[len(path)-1]
			if found[x] == 0 {
				number++
				found[x], low[x] = number, number
				open = append(open, x)
			}
			deeper := false
			for row := d.rows.Row(x); next[x] < len(row); next[x]++ {
				e := row[next[x]]
				if e.P == 0 || !positive[e.To] {
					continue
				}
				if found[e.To] == 0 {
					path, deeper = append(path, e.To), true
					break
				}
				if classOf[e.To] < 0 {
					low[x] = min(low[x], low[e.To])
				}
			}
			if deeper {
				continue
			}
			path = path[:len(path)-1]
			if low[x] < found[x] {
				continue
			}
			for classOf[x] < 0 { // x is the first state of its class, and all that is open after it belongs to it
				y := open[len(open)-1]
				open = open[:len(open)-1]
				classOf[y] = d.Classes
			}
			d.Classes++
		}
	}
	return classOf, nil
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
