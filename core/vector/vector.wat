;; vector.wat — the loops of package vector on Go's own memory, two numbers at a time.
;;
;; Each function does what its namesake in vector.go does, with the same operations on each number in
;; the same order, so that the bits are the same. Products and sums stay apart: nothing here is fused.
;; Pointers and lengths are i32; lengths and strides count numbers of 8 bytes.
(module
  (import "go" "mem" (memory 1))

  ;; d[i] += f·s[i] for i < n
  (func $axpy (export "axpy") (param $d i32) (param $s i32) (param $n i32) (param $f f64)
    (local $v v128)
    (local $end i32)
    (local.set $v (f64x2.splat (local.get $f)))
    ;; eight at a time
    (local.set $end (i32.add (local.get $d) (i32.shl (i32.and (local.get $n) (i32.const -8)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (v128.store (local.get $d) (f64x2.add (v128.load (local.get $d)) (f64x2.mul (local.get $v) (v128.load (local.get $s)))))
        (v128.store offset=16 (local.get $d) (f64x2.add (v128.load offset=16 (local.get $d)) (f64x2.mul (local.get $v) (v128.load offset=16 (local.get $s)))))
        (v128.store offset=32 (local.get $d) (f64x2.add (v128.load offset=32 (local.get $d)) (f64x2.mul (local.get $v) (v128.load offset=32 (local.get $s)))))
        (v128.store offset=48 (local.get $d) (f64x2.add (v128.load offset=48 (local.get $d)) (f64x2.mul (local.get $v) (v128.load offset=48 (local.get $s)))))
        (local.set $d (i32.add (local.get $d) (i32.const 64)))
        (local.set $s (i32.add (local.get $s) (i32.const 64)))
        (br $next)))
    ;; the rest
    (local.set $end (i32.add (local.get $d) (i32.shl (i32.and (local.get $n) (i32.const 7)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (f64.store (local.get $d) (f64.add (f64.load (local.get $d)) (f64.mul (local.get $f) (f64.load (local.get $s)))))
        (local.set $d (i32.add (local.get $d) (i32.const 8)))
        (local.set $s (i32.add (local.get $s) (i32.const 8)))
        (br $next))))

  ;; d[i] *= f for i < n
  (func (export "scale") (param $d i32) (param $n i32) (param $f f64)
    (local $v v128)
    (local $end i32)
    (local.set $v (f64x2.splat (local.get $f)))
    (local.set $end (i32.add (local.get $d) (i32.shl (i32.and (local.get $n) (i32.const -8)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (v128.store (local.get $d) (f64x2.mul (v128.load (local.get $d)) (local.get $v)))
        (v128.store offset=16 (local.get $d) (f64x2.mul (v128.load offset=16 (local.get $d)) (local.get $v)))
        (v128.store offset=32 (local.get $d) (f64x2.mul (v128.load offset=32 (local.get $d)) (local.get $v)))
        (v128.store offset=48 (local.get $d) (f64x2.mul (v128.load offset=48 (local.get $d)) (local.get $v)))
        (local.set $d (i32.add (local.get $d) (i32.const 64)))
        (br $next)))
    (local.set $end (i32.add (local.get $d) (i32.shl (i32.and (local.get $n) (i32.const 7)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (f64.store (local.get $d) (f64.mul (f64.load (local.get $d)) (local.get $f)))
        (local.set $d (i32.add (local.get $d) (i32.const 8)))
        (br $next))))

  ;; Σ x[i]·y[i] in four partial sums, one for each i mod 4: two in $a, two in $b
  (func $dot (export "dot") (param $x i32) (param $y i32) (param $n i32) (result f64)
    (local $a v128)
    (local $b v128)
    (local $end i32)
    (local.set $end (i32.add (local.get $x) (i32.shl (i32.and (local.get $n) (i32.const -4)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $x) (local.get $end)))
        (local.set $a (f64x2.add (local.get $a) (f64x2.mul (v128.load (local.get $x)) (v128.load (local.get $y)))))
        (local.set $b (f64x2.add (local.get $b) (f64x2.mul (v128.load offset=16 (local.get $x)) (v128.load offset=16 (local.get $y)))))
        (local.set $x (i32.add (local.get $x) (i32.const 32)))
        (local.set $y (i32.add (local.get $y) (i32.const 32)))
        (br $next)))
    (local.set $n (i32.and (local.get $n) (i32.const 3)))
    (if (i32.eq (local.get $n) (i32.const 3))
      (then
        (local.set $b (f64x2.replace_lane 0 (local.get $b) (f64.add (f64x2.extract_lane 0 (local.get $b))
          (f64.mul (f64.load offset=16 (local.get $x)) (f64.load offset=16 (local.get $y))))))))
    (if (i32.ge_u (local.get $n) (i32.const 2))
      (then
        (local.set $a (f64x2.replace_lane 1 (local.get $a) (f64.add (f64x2.extract_lane 1 (local.get $a))
          (f64.mul (f64.load offset=8 (local.get $x)) (f64.load offset=8 (local.get $y))))))))
    (if (local.get $n)
      (then
        (local.set $a (f64x2.replace_lane 0 (local.get $a) (f64.add (f64x2.extract_lane 0 (local.get $a))
          (f64.mul (f64.load (local.get $x)) (f64.load (local.get $y))))))))
    (f64.add
      (f64.add (f64x2.extract_lane 0 (local.get $a)) (f64x2.extract_lane 1 (local.get $a)))
      (f64.add (f64x2.extract_lane 0 (local.get $b)) (f64x2.extract_lane 1 (local.get $b)))))

  ;; d[r] = dot of x and row r, for r < count rows that start $stride apart
  (func (export "dots") (param $d i32) (param $count i32) (param $rows i32) (param $stride i32) (param $x i32) (param $n i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $d) (i32.shl (local.get $count) (i32.const 3))))
    (local.set $stride (i32.shl (local.get $stride) (i32.const 3)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (f64.store (local.get $d) (call $dot (local.get $x) (local.get $rows) (local.get $n)))
        (local.set $d (i32.add (local.get $d) (i32.const 8)))
        (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
        (br $next))))

  ;; row r += f[r]·s for r < count, where f[r] is not 0
  (func (export "rank1") (param $rows i32) (param $stride i32) (param $s i32) (param $n i32) (param $f i32) (param $count i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $f) (i32.shl (local.get $count) (i32.const 3))))
    (local.set $stride (i32.shl (local.get $stride) (i32.const 3)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $f) (local.get $end)))
        (if (f64.ne (f64.load (local.get $f)) (f64.const 0))
          (then (call $axpy (local.get $rows) (local.get $s) (local.get $n) (f64.load (local.get $f)))))
        (local.set $f (i32.add (local.get $f) (i32.const 8)))
        (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
        (br $next))))

  ;; d[i] -= f[k]·row k[i] + f[k+1]·row k+1[i] for k = 0, 2, ... below $count and i < n
  (func (export "eliminate") (param $d i32) (param $n i32) (param $rows i32) (param $stride i32) (param $f i32) (param $count i32)
    (local $end i32)
    (local $g i32)
    (local $last i32)
    (local $p i32) (local $q i32)
    (local $sum f64)
    (local $u v128) (local $v v128)
    (local $a v128) (local $b v128) (local $c v128) (local $e v128)
    (local.set $stride (i32.shl (local.get $stride) (i32.const 3)))
    (local.set $last (i32.add (local.get $f) (i32.shl (local.get $count) (i32.const 3))))
    ;; eight at a time, in four registers
    (local.set $end (i32.add (local.get $d) (i32.shl (i32.and (local.get $n) (i32.const -8)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (local.set $a (v128.load (local.get $d)))
        (local.set $b (v128.load offset=16 (local.get $d)))
        (local.set $c (v128.load offset=32 (local.get $d)))
        (local.set $e (v128.load offset=48 (local.get $d)))
        (local.set $g (local.get $f))
        (local.set $p (local.get $rows))
        (block $over
          (loop $pair
            (br_if $over (i32.ge_u (local.get $g) (local.get $last)))
            (local.set $q (i32.add (local.get $p) (local.get $stride)))
            (local.set $u (v128.load64_splat (local.get $g)))
            (local.set $v (v128.load64_splat offset=8 (local.get $g)))
            (local.set $a (f64x2.sub (local.get $a) (f64x2.add
              (f64x2.mul (local.get $u) (v128.load (local.get $p))) (f64x2.mul (local.get $v) (v128.load (local.get $q))))))
            (local.set $b (f64x2.sub (local.get $b) (f64x2.add
              (f64x2.mul (local.get $u) (v128.load offset=16 (local.get $p))) (f64x2.mul (local.get $v) (v128.load offset=16 (local.get $q))))))
            (local.set $c (f64x2.sub (local.get $c) (f64x2.add
              (f64x2.mul (local.get $u) (v128.load offset=32 (local.get $p))) (f64x2.mul (local.get $v) (v128.load offset=32 (local.get $q))))))
            (local.set $e (f64x2.sub (local.get $e) (f64x2.add
              (f64x2.mul (local.get $u) (v128.load offset=48 (local.get $p))) (f64x2.mul (local.get $v) (v128.load offset=48 (local.get $q))))))
            (local.set $p (i32.add (local.get $q) (local.get $stride)))
            (local.set $g (i32.add (local.get $g) (i32.const 16)))
            (br $pair)))
        (v128.store (local.get $d) (local.get $a))
        (v128.store offset=16 (local.get $d) (local.get $b))
        (v128.store offset=32 (local.get $d) (local.get $c))
        (v128.store offset=48 (local.get $d) (local.get $e))
        (local.set $d (i32.add (local.get $d) (i32.const 64)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
        (br $next)))
    ;; the rest
    (local.set $end (i32.add (local.get $d) (i32.shl (i32.and (local.get $n) (i32.const 7)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (local.set $sum (f64.load (local.get $d)))
        (local.set $g (local.get $f))
        (local.set $p (local.get $rows))
        (block $over
          (loop $pair
            (br_if $over (i32.ge_u (local.get $g) (local.get $last)))
            (local.set $q (i32.add (local.get $p) (local.get $stride)))
            (local.set $sum (f64.sub (local.get $sum) (f64.add
              (f64.mul (f64.load (local.get $g)) (f64.load (local.get $p))) (f64.mul (f64.load offset=8 (local.get $g)) (f64.load (local.get $q))))))
            (local.set $p (i32.add (local.get $q) (local.get $stride)))
            (local.set $g (i32.add (local.get $g) (i32.const 16)))
            (br $pair)))
        (f64.store (local.get $d) (local.get $sum))
        (local.set $d (i32.add (local.get $d) (i32.const 8)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 8)))
        (br $next))))

  ;; d[i] = Σ_k f[k]·rows[at[k]][i] in the order of k, for i < n; $at holds i32
  (func (export "combine") (param $d i32) (param $n i32) (param $rows i32) (param $stride i32) (param $at i32) (param $f i32) (param $count i32)
    (local $end i32)
    (local $k i32)
    (local $p i32)
    (local $w v128)
    (local $sum f64)
    (local $a v128) (local $b v128) (local $c v128) (local $e v128)
    (local $g v128) (local $h v128) (local $l v128) (local $o v128)
    (local.set $stride (i32.shl (local.get $stride) (i32.const 3)))
    ;; sixteen at a time, their sums in eight registers
    (local.set $end (i32.add (local.get $d) (i32.shl (i32.and (local.get $n) (i32.const -16)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (local.set $a (v128.const f64x2 0 0))
        (local.set $b (v128.const f64x2 0 0))
        (local.set $c (v128.const f64x2 0 0))
        (local.set $e (v128.const f64x2 0 0))
        (local.set $g (v128.const f64x2 0 0))
        (local.set $h (v128.const f64x2 0 0))
        (local.set $l (v128.const f64x2 0 0))
        (local.set $o (v128.const f64x2 0 0))
        (local.set $k (i32.const 0))
        (block $summed
          (loop $row
            (br_if $summed (i32.ge_u (local.get $k) (local.get $count)))
            (local.set $w (v128.load64_splat (i32.add (local.get $f) (i32.shl (local.get $k) (i32.const 3)))))
            (local.set $p (i32.add (local.get $rows) (i32.mul (local.get $stride)
              (i32.load (i32.add (local.get $at) (i32.shl (local.get $k) (i32.const 2)))))))
            (local.set $a (f64x2.add (local.get $a) (f64x2.mul (local.get $w) (v128.load (local.get $p)))))
            (local.set $b (f64x2.add (local.get $b) (f64x2.mul (local.get $w) (v128.load offset=16 (local.get $p)))))
            (local.set $c (f64x2.add (local.get $c) (f64x2.mul (local.get $w) (v128.load offset=32 (local.get $p)))))
            (local.set $e (f64x2.add (local.get $e) (f64x2.mul (local.get $w) (v128.load offset=48 (local.get $p)))))
            (local.set $g (f64x2.add (local.get $g) (f64x2.mul (local.get $w) (v128.load offset=64 (local.get $p)))))
            (local.set $h (f64x2.add (local.get $h) (f64x2.mul (local.get $w) (v128.load offset=80 (local.get $p)))))
            (local.set $l (f64x2.add (local.get $l) (f64x2.mul (local.get $w) (v128.load offset=96 (local.get $p)))))
            (local.set $o (f64x2.add (local.get $o) (f64x2.mul (local.get $w) (v128.load offset=112 (local.get $p)))))
            (local.set $k (i32.add (local.get $k) (i32.const 1)))
            (br $row)))
        (v128.store (local.get $d) (local.get $a))
        (v128.store offset=16 (local.get $d) (local.get $b))
        (v128.store offset=32 (local.get $d) (local.get $c))
        (v128.store offset=48 (local.get $d) (local.get $e))
        (v128.store offset=64 (local.get $d) (local.get $g))
        (v128.store offset=80 (local.get $d) (local.get $h))
        (v128.store offset=96 (local.get $d) (local.get $l))
        (v128.store offset=112 (local.get $d) (local.get $o))
        (local.set $d (i32.add (local.get $d) (i32.const 128)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 128)))
        (br $next)))
    ;; the rest
    (local.set $end (i32.add (local.get $d) (i32.shl (i32.and (local.get $n) (i32.const 15)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (local.set $sum (f64.const 0))
        (local.set $k (i32.const 0))
        (block $summed
          (loop $row
            (br_if $summed (i32.ge_u (local.get $k) (local.get $count)))
            (local.set $p (i32.add (local.get $rows) (i32.mul (local.get $stride)
              (i32.load (i32.add (local.get $at) (i32.shl (local.get $k) (i32.const 2)))))))
            (local.set $sum (f64.add (local.get $sum)
              (f64.mul (f64.load (i32.add (local.get $f) (i32.shl (local.get $k) (i32.const 3)))) (f64.load (local.get $p)))))
            (local.set $k (i32.add (local.get $k) (i32.const 1)))
            (br $row)))
        (f64.store (local.get $d) (local.get $sum))
        (local.set $d (i32.add (local.get $d) (i32.const 8)))
        (local.set $rows (i32.add (local.get $rows) (i32.const 8)))
        (br $next))))

  ;; the least of x[i], i < n
  (func (export "least") (param $x i32) (param $n i32) (result f64)
    (local $a v128)
    (local $b v128)
    (local $end i32)
    (local $m f64)
    (local.set $a (f64x2.splat (f64.const inf)))
    (local.set $b (local.get $a))
    (local.set $end (i32.add (local.get $x) (i32.shl (i32.and (local.get $n) (i32.const -4)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $x) (local.get $end)))
        (local.set $a (f64x2.pmin (local.get $a) (v128.load (local.get $x))))
        (local.set $b (f64x2.pmin (local.get $b) (v128.load offset=16 (local.get $x))))
        (local.set $x (i32.add (local.get $x) (i32.const 32)))
        (br $next)))
    (local.set $m (f64.const inf))
    (local.set $end (i32.add (local.get $x) (i32.shl (i32.and (local.get $n) (i32.const 3)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $x) (local.get $end)))
        (local.set $m (f64.min (local.get $m) (f64.load (local.get $x))))
        (local.set $x (i32.add (local.get $x) (i32.const 8)))
        (br $next)))
    (local.set $a (f64x2.pmin (local.get $a) (local.get $b)))
    (f64.min (local.get $m) (f64.min (f64x2.extract_lane 0 (local.get $a)) (f64x2.extract_lane 1 (local.get $a)))))

  ;; d[i] = the least of v + f·min(w - v, 0) over the numbers v of slice i ≠ j and those of slice j, w,
  ;; of an index with $count values whose slices start $stride apart; $blocks such groups follow each
  ;; other. d[j] = inf
  (func (export "leastToward") (param $d i32) (param $count i32) (param $x i32) (param $blocks i32) (param $stride i32) (param $j i32) (param $f f64)
    (local $i i32)
    (local $b i32)
    (local $p i32) (local $q i32)
    (local $end i32) (local $group i32)
    (local $m f64) (local $v f64) (local $w f64)
    (local $a v128) (local $u v128) (local $share v128) (local $zero v128)
    (local.set $share (f64x2.splat (local.get $f)))
    (local.set $group (i32.shl (i32.mul (i32.sub (local.get $count) (i32.const 1)) (local.get $stride)) (i32.const 3)))
    (block $done
      (loop $slice
        (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
        (local.set $m (f64.const inf))
        (local.set $a (f64x2.splat (local.get $m)))
        (if (i32.ne (local.get $i) (local.get $j))
          (then
            (local.set $p (i32.add (local.get $x) (i32.shl (i32.mul (local.get $i) (local.get $stride)) (i32.const 3))))
            (local.set $q (i32.add (local.get $x) (i32.shl (i32.mul (local.get $j) (local.get $stride)) (i32.const 3))))
            (local.set $b (local.get $blocks))
            (block $over
              (loop $next
                (br_if $over (i32.eqz (local.get $b)))
                (local.set $end (i32.add (local.get $p) (i32.shl (i32.and (local.get $stride) (i32.const -2)) (i32.const 3))))
                (block $paired
                  (loop $two
                    (br_if $paired (i32.ge_u (local.get $p) (local.get $end)))
                    (local.set $u (v128.load (local.get $p)))
                    (local.set $a (f64x2.pmin (local.get $a) (f64x2.add (local.get $u) (f64x2.mul (local.get $share)
                      (f64x2.pmin (local.get $zero) (f64x2.sub (v128.load (local.get $q)) (local.get $u)))))))
                    (local.set $p (i32.add (local.get $p) (i32.const 16)))
                    (local.set $q (i32.add (local.get $q) (i32.const 16)))
                    (br $two)))
                (if (i32.and (local.get $stride) (i32.const 1))
                  (then
                    (local.set $v (f64.load (local.get $p)))
                    (local.set $w (f64.load (local.get $q)))
                    (if (f64.lt (local.get $w) (local.get $v))
                      (then (local.set $v (f64.add (local.get $v) (f64.mul (local.get $f) (f64.sub (local.get $w) (local.get $v)))))))
                    (local.set $m (f64.min (local.get $m) (local.get $v)))
                    (local.set $p (i32.add (local.get $p) (i32.const 8)))
                    (local.set $q (i32.add (local.get $q) (i32.const 8)))))
                (local.set $p (i32.add (local.get $p) (local.get $group)))
                (local.set $q (i32.add (local.get $q) (local.get $group)))
                (local.set $b (i32.sub (local.get $b) (i32.const 1)))
                (br $next)))))
        (f64.store (local.get $d) (f64.min (local.get $m) (f64.min (f64x2.extract_lane 0 (local.get $a)) (f64x2.extract_lane 1 (local.get $a)))))
        (local.set $d (i32.add (local.get $d) (i32.const 8)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $slice))))

  ;; d[i] += f·(s[i] - d[i]) for i < n
  (func $toward (param $d i32) (param $s i32) (param $n i32) (param $f f64)
    (local $v v128)
    (local $end i32)
    (local.set $v (f64x2.splat (local.get $f)))
    (local.set $end (i32.add (local.get $d) (i32.shl (i32.and (local.get $n) (i32.const -4)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (v128.store (local.get $d) (f64x2.add (v128.load (local.get $d))
          (f64x2.mul (local.get $v) (f64x2.sub (v128.load (local.get $s)) (v128.load (local.get $d))))))
        (v128.store offset=16 (local.get $d) (f64x2.add (v128.load offset=16 (local.get $d))
          (f64x2.mul (local.get $v) (f64x2.sub (v128.load offset=16 (local.get $s)) (v128.load offset=16 (local.get $d))))))
        (local.set $d (i32.add (local.get $d) (i32.const 32)))
        (local.set $s (i32.add (local.get $s) (i32.const 32)))
        (br $next)))
    (local.set $end (i32.add (local.get $d) (i32.shl (i32.and (local.get $n) (i32.const 3)) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (f64.store (local.get $d) (f64.add (f64.load (local.get $d))
          (f64.mul (local.get $f) (f64.sub (f64.load (local.get $s)) (f64.load (local.get $d))))))
        (local.set $d (i32.add (local.get $d) (i32.const 8)))
        (local.set $s (i32.add (local.get $s) (i32.const 8)))
        (br $next))))

  ;; toward for slices of one number: one slice after the other in $blocks groups
  (func $towardSingle (param $x i32) (param $blocks i32) (param $j i32) (param $f i32) (param $count i32)
    (local $i i32)
    (local $share f64) (local $v f64)
    (local $p i32) (local $q i32)
    (local $end i32) (local $group i32)
    (local.set $group (i32.shl (local.get $count) (i32.const 3)))
    (local.set $end (i32.add (local.get $x) (i32.mul (local.get $blocks) (local.get $group))))
    (block $done
      (loop $slice
        (br_if $done (i32.ge_u (local.get $i) (local.get $count)))
        (local.set $share (f64.load (i32.add (local.get $f) (i32.shl (local.get $i) (i32.const 3)))))
        (if (i32.and (i32.ne (local.get $i) (local.get $j)) (f64.ne (local.get $share) (f64.const 0)))
          (then
            (local.set $p (i32.add (local.get $x) (i32.shl (local.get $i) (i32.const 3))))
            (local.set $q (i32.add (local.get $x) (i32.shl (local.get $j) (i32.const 3))))
            (block $over
              (loop $next
                (br_if $over (i32.ge_u (local.get $p) (local.get $end)))
                (local.set $v (f64.load (local.get $p)))
                (f64.store (local.get $p) (f64.add (local.get $v)
                  (f64.mul (local.get $share) (f64.sub (f64.load (local.get $q)) (local.get $v)))))
                (local.set $p (i32.add (local.get $p) (local.get $group)))
                (local.set $q (i32.add (local.get $q) (local.get $group)))
                (br $next)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $slice))))

  ;; slices i ≠ j of an index with $count values go the share f[i] of their way to slice j;
  ;; slices start $stride apart, and $blocks such groups follow each other
  (func (export "toward") (param $x i32) (param $blocks i32) (param $stride i32) (param $j i32) (param $f i32) (param $count i32)
    (local $i i32)
    (local $share f64)
    (local $to i32)
    (local $bytes i32) (local $some i32)
    (if (i32.eq (local.get $stride) (i32.const 1))
      (then
        (block $done
          (loop $next ;; groups that stay in the nearest cache
            (br_if $done (i32.eqz (local.get $blocks)))
            (local.set $some (select (local.get $blocks) (i32.const 256) (i32.lt_u (local.get $blocks) (i32.const 256))))
            (call $towardSingle (local.get $x) (local.get $some) (local.get $j) (local.get $f) (local.get $count))
            (local.set $x (i32.add (local.get $x) (i32.shl (i32.mul (local.get $some) (local.get $count)) (i32.const 3))))
            (local.set $blocks (i32.sub (local.get $blocks) (local.get $some)))
            (br $next)))
        (return)))
    (local.set $bytes (i32.shl (local.get $stride) (i32.const 3)))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $blocks)))
        (local.set $to (i32.add (local.get $x) (i32.mul (local.get $j) (local.get $bytes))))
        (local.set $i (i32.const 0))
        (block $moved
          (loop $slice
            (br_if $moved (i32.ge_u (local.get $i) (local.get $count)))
            (local.set $share (f64.load (i32.add (local.get $f) (i32.shl (local.get $i) (i32.const 3)))))
            (if (i32.and (i32.ne (local.get $i) (local.get $j)) (f64.ne (local.get $share) (f64.const 0)))
              (then
                (call $toward (local.get $x) (local.get $to) (local.get $stride) (local.get $share))))
            (local.set $x (i32.add (local.get $x) (local.get $bytes)))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br $slice)))
        (local.set $blocks (i32.sub (local.get $blocks) (i32.const 1)))
        (br $next))))

  ;; Σ f[k]·x[at[k]] for k < n in two partial sums, one for each k mod 2; $at holds i32
  (func $gather (export "gather") (param $at i32) (param $f i32) (param $x i32) (param $n i32) (result f64)
    (local $a v128)
    (local $last i32)
    (local.set $last (i32.add (local.get $at) (i32.shl (local.get $n) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $last)))
        (local.set $a (f64x2.add (local.get $a) (f64x2.mul (v128.load (local.get $f))
          (v128.load64_lane 1 (i32.add (local.get $x) (i32.shl (i32.load offset=4 (local.get $at)) (i32.const 3)))
            (v128.load64_zero (i32.add (local.get $x) (i32.shl (i32.load (local.get $at)) (i32.const 3))))))))
        (local.set $a (f64x2.add (local.get $a) (f64x2.mul (v128.load offset=16 (local.get $f))
          (v128.load64_lane 1 (i32.add (local.get $x) (i32.shl (i32.load offset=12 (local.get $at)) (i32.const 3)))
            (v128.load64_zero (i32.add (local.get $x) (i32.shl (i32.load offset=8 (local.get $at)) (i32.const 3))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (local.set $f (i32.add (local.get $f) (i32.const 32)))
        (br $next)))
    (f64.add (f64x2.extract_lane 0 (local.get $a)) (f64x2.extract_lane 1 (local.get $a))))

  ;; d[r] = gather of row r, for r < count rows that start $stride apart
  (func (export "gatherRows") (param $d i32) (param $count i32) (param $at i32) (param $f i32) (param $n i32) (param $rows i32) (param $stride i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $d) (i32.shl (local.get $count) (i32.const 3))))
    (local.set $stride (i32.shl (local.get $stride) (i32.const 3)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (f64.store (local.get $d) (call $gather (local.get $at) (local.get $f) (local.get $rows) (local.get $n)))
        (local.set $d (i32.add (local.get $d) (i32.const 8)))
        (local.set $rows (i32.add (local.get $rows) (local.get $stride)))
        (br $next))))

  ;; d[i] = gather of x by sparse row i, for i < count with which[i] = $want; $ptr and $size hold i64
  (func (export "gatherSome") (param $d i32) (param $which i32) (param $count i32) (param $want i32) (param $ptr i32) (param $size i32) (param $at i32) (param $f i32) (param $x i32)
    (local $end i32)
    (local $p i32)
    (local.set $end (i32.add (local.get $d) (i32.shl (local.get $count) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $d) (local.get $end)))
        (if (i32.eq (i32.load (local.get $which)) (local.get $want))
          (then
            (local.set $p (i32.load (local.get $ptr)))
            (f64.store (local.get $d) (call $gather
              (i32.add (local.get $at) (i32.shl (local.get $p) (i32.const 2)))
              (i32.add (local.get $f) (i32.shl (local.get $p) (i32.const 3)))
              (local.get $x) (i32.load (local.get $size))))))
        (local.set $d (i32.add (local.get $d) (i32.const 8)))
        (local.set $which (i32.add (local.get $which) (i32.const 4)))
        (local.set $ptr (i32.add (local.get $ptr) (i32.const 8)))
        (local.set $size (i32.add (local.get $size) (i32.const 8)))
        (br $next)))))
