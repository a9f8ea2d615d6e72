package main

import (
	"fmt"
	"math"
	"os"

	"rcmdplab/core/certify"
)

func bitsOf(v []float64, high int) int {
	bits := 1
	for _, x := range v {
		for x = math.Ldexp(x, bits-high); x != math.Floor(x); x *= 2 {
			bits++
		}
	}
	return bits
}

func main() {
	for _, n := range os.Args[1:] {
		text, _ := os.ReadFile("/tmp/cert/c" + n + ".json")
		c, err := certify.Decode(text)
		if err != nil {
			panic(err)
		}
		push, close, nodes := 0, 0, len(c.Tensor.Nodes)
		var pk, ck, pn, cn int
		hist := map[int]int{}
		ls := map[int]int{}
		exps := map[int]int{}
		lb := map[string]int{}
		total := 0
		lam := map[int]int{}
		pieces := map[int]int{}
		same := 0
		steps := 0
		prev := map[int]bool{}
		for _, node := range c.Tensor.Nodes {
			for _, s := range node.Steps {
				top := 0.0
				for _, l := range s.Lambda {
					top = max(top, l)
				}
				_, e := math.Frexp(top)
				exps[e]++
				k := bitsOf(s.Lambda, e)
				hist[k]++
				for _, l := range s.Lambda {
					_, f := math.Frexp(l)
					lam[e-f]++
				}
				cur := map[int]bool{}
				for _, p := range s.Pieces {
					pieces[p]++
					cur[p] = true
				}
				for p := range 30 {
					if cur[p] == prev[p] {
						same++
					}
				}
				prev = cur
				steps++
				total += k * len(s.Lambda)
				if s.State >= 0 {
					push++
					pk += k
					pn += len(s.Pieces)
					kk := bitsOf(s.Shift, 0)
					ls[kk]++
					for i, l := range s.Shift {
						if i != s.J {
							lb[fmt.Sprintf("%.1f", l)]++
						}
					}
				} else {
					close++
					ck += k
					cn += len(s.Pieces)
				}
			}
		}
		fmt.Println(n, "bytes", len(text), "nodes", nodes, "push", push, "close", close, "push k", float64(pk)/float64(push), "pieces", float64(pn)/float64(push), "close k", float64(ck)/float64(close), float64(cn)/float64(close))
		fmt.Println(" lambda bits", total/8*4/3, "masks", (push+close)*30/8*4/3, "shifts", push*36/8*4/3)
		fmt.Println(" k", hist, "shift bits", ls, "exps", exps)
		fmt.Println(" shares", lb)
		fmt.Println(" lam mag", lam, "pieces", pieces, "same mask", float64(same)/float64(30*steps))
	}
}
