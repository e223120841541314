import{b as K}from"./chunk-OOJM4CTU.js";var x,qt,tr,Z,He,Ae,Wt,$e,Yt,Ze,Ke,sr,ge=Symbol.for("pv"),Pe={},Te=[],rr=/^m(i|n|o|s|text|space)$/,Ge=Array.isArray,Xe=Te.slice,ie=Object.assign;function oe(e){e&&e.parentNode&&e.remove()}function Jt(e,t,s){var r,i,o,c={},a=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?i=t[o]:c[o]=t[o];return a>2&&(c.children=a>3?Xe.call(arguments,2):s),fe(e,c,r,i,null)}function fe(e,t,s,r,i){var o={type:e,props:t,key:s,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ge,__v:i||++qt,__i:-1,__u:0};return!i&&x.vnode&&x.vnode(o),o}function Ie(e){return e.children}function ne(e,t){this.props=e,this.context=t,this.__g=0}function G(e,t){if(t==null)return e.__&&G(e.__,e.__i+1);for(var s;t<e.__k.length;t++)if((s=e.__k[t])&&s.__e)return s.__e;return typeof e.type!="function"||e.props.__P?null:G(e)}function or(e){var t,s=e.__v,r=s.__e,i=[],o=[],c=e.__P;c&&((t=ie({constructor:ge},s)).__v=s.__v+1,x.vnode&&x.vnode(t),Qe(c,t,s,e.__n,c.namespaceURI,32&s.__u?[r]:null,i,r||G(s),32&s.__u,o),t.__v=s.__v,t.__.__k[t.__i]=t,Qt(i,t,o),s.__=s.__e=null,t.__e!=r&&Ht(t))}function Ht(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Ht(e)}function Vt(e){(8&e.__g||(e.__g|=8,Z.push(e),Ae++))&&He==x.debounceRendering||((He=x.debounceRendering)||queueMicrotask)(Kt)}function Kt(){try{for(var e,t=1;Z.length;)Z.length>t&&Z.sort(Wt),e=Z.shift(),t=Z.length,8&e.__g&&or(e)}finally{(Ae=Z.length)&&(He||queueMicrotask)(Kt)}}function Zt(e,t,s,r,i,o,c,a,u,d,l){var m,h,p,g,S,w,f=r.__k||Te,_=t.length;for(u=ir(s,t,f,u,_),m=0;m<_;m++)(p=s.__k[m])!=null&&(h=~p.__i&&f[p.__i]||Pe,p.__i=m,w=Qe(e,p,h,i,o,c,a,u,d,l),g=p.__e,(h.ref!=p.ref||8&h.__u)&&(h.ref&&et(h.ref,null,p,h),p.ref&&l.push(p.ref,p.__c||g,p)),S=S||g,4&p.__u?(u=Gt(p,u,e,!h.__v),h.__e&&(h.__e=null)):typeof p.type=="function"&&w!==void 0?u=w:g&&(u=g.nextSibling),p.__u&=-21);return s.__e=S,u}function ir(e,t,s,r,i){var o,c,a,u,d,l,m,h,p,g=s.length,S=g,w=0,f=0,_=e.__k=Array(i);for(o=0;o<i;o++)(c=t[o])!=null&&typeof c!="boolean"&&typeof c!="function"?(typeof c!="object"||c.constructor===String?c=_[o]=fe(null,c):Ge(c)?c=_[o]=fe(Ie,{children:c}):c.constructor===ge&&c.__b?c=_[o]=fe(c.type,c.props,c.key,c.ref,c.__v):_[o]=c,u=o+w,c.__=e,c.__b=e.__b+1,a=null,~(d=c.__i=nr(c,s,u,S))&&(S--,(a=s[d])&&(a.__u|=2)),a&&a.__v?(c.__u|=16,d==u-1?w--:d==u+1?w++:d!=u&&(d>u?w--:w++,f=1)):(~d||(i>g?w--:i<g&&w++),typeof c.type!="function"&&(c.__u|=4))):_[o]=null;if(f){for(l=[],m=[],o=0;o<i;o++)if((c=_[o])&&16&c.__u){for(w=0,h=l.length;w<h;)l[p=w+h>>1]<c.__i?w=p+1:h=p;l[w]=c.__i,m[o]=w+1}for(w=l.length;o--;)m[o]&&(m[o]==w?w--:_[o].__u|=4)}if(S)for(o=0;o<g;o++)!(a=s[o])||2&a.__u||(a.__e==r&&(r=G(a)),tt(a,a));return r}function Gt(e,t,s,r){var i,o,c,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(i=e.__k)for(o=0;o<i.length;o++)i[o]&&(i[o].__=e,t=Gt(i[o],t,s,!1));return t}for(t&&!t.parentNode&&(t=G(e))&&!t.parentNode&&(t=null),c=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(c!=a&&(!r&&s.moveBefore&&c.parentNode?s.moveBefore(c,t):s.insertBefore(c,t||null)),t=c;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function nr(e,t,s,r){var i,o=e.key,c=e.type,a=t[s],u=a&&!(2&a.__u);if(a===null&&o==null||u&&o==a.key&&c==a.type)return s;if(r>(u?1:0)){for(i=s-1;i>=0;i--)if((a=t[i])&&!(2&a.__u)&&o==a.key&&c==a.type)return i;for(i=s+1;i<t.length;i++)if((a=t[i])&&!(2&a.__u)&&o==a.key&&c==a.type)return i}return-1}function Ut(e,t,s){s==null&&(s=""),t[0]=="-"?e.setProperty(t,s):e[t]=s}function je(e,t,s,r,i){var o,c;if(t=="style")if(typeof s=="string")e.style.cssText=s;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)s&&t in s||Ut(e.style,t);if(s)for(t in s)r&&s[t]==r[t]||Ut(e.style,t,s[t])}else if(t[0]=="o"&&t[1]=="n")typeof s!="function"&&(s=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=s,s&&r||(c=Ke[t]||(Ke[t]=ar(t)),(e.__a||(e.__a={}))[t]=Ze,o=t!=(t=t.replace(Yt,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),s?e.addEventListener(t,c,o):e.removeEventListener(t,c,o));else{if(i=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=s??"")}catch{}if(typeof s=="function")return;s==null||s===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&s==1?"":s)}}function ar(e){return function(t){var s=this.__e;if(s){if(s=s[e],t[$e]==null)t[$e]=Ze++;else if(t[$e]<this.__a[e])return;return s(x.event?x.event(t):t)}}}function Qe(e,t,s,r,i,o,c,a,u,d){var l,m,h,p,g,S,w,f,_,O,k,Je,zt,ke,se,Ft,H,re,Y=t.type;if(t.constructor!==ge)return null;128&s.__u&&(u=32&s.__u,l=s.__c.__z)&&(t.__u|=u,m=o=[],l.nodeType==8?a=Oe(l,o):o.push(l),a=o[0]||a),(l=x.__b)&&l(t);e:if(typeof Y=="function"){h=c.length;try{if(f=t.props,_=(l=Y.prototype)&&l.render,O=(l=Y.contextType)&&r[l.__c],k=l?O?O.props.value:l.__:r,(p=s.__c)?(t.__c=p,2&p.__g&&(p.__g|=1)):(_?t.__c=p=new Y(f,k):(t.__c=p=new ne(f,k),p.constructor=Y,p.render=lr),O&&O.sub(p),p.state||(p.state={}),p.__n=r,p.__g|=8,p.__h=[],p.__k=[]),_&&(p.__s||(p.__s=p.state),Y.getDerivedStateFromProps&&(p.__s==p.state&&(p.__s=ie({},p.__s)),ie(p.__s,Y.getDerivedStateFromProps(f,p.__s)))),g=p.props,S=p.state,p.__v=t,s.__c){if(f!==g&&_&&!Y.getDerivedStateFromProps&&p.componentWillReceiveProps&&p.componentWillReceiveProps(f,k),t.__v==s.__v&&!(8&p.__g)||!(4&p.__g)&&p.shouldComponentUpdate&&p.shouldComponentUpdate(f,p.__s,k)===!1){t.__v!=s.__v&&(p.props=f,p.state=p.__s,p.__g&=-9),t.__e=s.__e,t.__k=s.__k,t.__k.some(function(V){V&&(V.__=t)}),Te.push.apply(p.__h,p.__k),p.__k=[],p.__h.length&&c.push(p),a=G(s);break e}p.componentWillUpdate&&p.componentWillUpdate(f,p.__s,k),_&&p.componentDidUpdate&&p.__h.push(function(){p.componentDidUpdate(g,S,w)})}else _&&!Y.getDerivedStateFromProps&&p.componentWillMount&&p.componentWillMount(),_&&p.componentDidMount&&p.__h.push(p.componentDidMount);p.context=k,p.props=f,p.__P=e,p.__g&=-5,Je=x.__r,zt=_?25:0;do p.__g&=-9,Je&&Je(t),l=p.render(p.props,p.state=p.__s,p.context);while(8&p.__g&&++zt<25);_&&(Te.push.apply(p.__h,p.__k),p.__k=[]),p.state=p.__s,p.getChildContext&&(r=ie({},r,p.getChildContext())),_&&s.__c&&p.getSnapshotBeforeUpdate&&(w=p.getSnapshotBeforeUpdate(g,S)),ke=l&&l.type===Ie&&l.key==null?l.props.children:l,f.__P&&(l=a,i=(e=f.__P).namespaceURI,u=o=null,s.props&&s.props.__P!=e&&(s.__k.some(function(V){V&&tt(V,V)}),s.__k=null),a=s.__k?G(s,0):null),a=Zt(e,Ge(ke)?ke:[ke],t,s,r,i,o,c,a,u,d),f.__P&&(t.__e=null,a=l),t.__u&=-161,m&&m.some(oe),p.__h.length&&c.push(p),1&p.__g&&(p.__g&=-4)}catch(V){if(c.length=h,t.__v=null,u||o)if(V&&V.then){if(t.__u|=128|u,o){for(~(H=o.indexOf(a||void 0))||(H=o.length);(re=o[H-1])&&re.nodeType==8;)H--;for(;H<o.length;H++)if(re=o[H])if(o[H]=null,se){if(re==Ft)break}else{if(re.nodeType!=8)break;re.data.startsWith("$s")&&(Ft=Oe(se=re))}}if(!se){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;se=a}(l=Oe(se=t.__c.__z||(t.__c.__z=se)))?(t.__e=se,a=l):t.__e=a,a=a&&a.nextSibling}else o&&o.some(oe);else t.__e=s.__e;t.__k||(t.__k=s.__k||[]),V&&V.then||Xt(t),x.__e(V,t,s)}}else a=t.__e=cr(s.__e,t,s,r,i,o,c,u,d,e);return(l=x.diffed)&&l(t),a}function Oe(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var s=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))s++;else if(e.data.startsWith("/$s")&&!--s)return e}t&&t.push(e)}}function Xt(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Xt))}function Qt(e,t,s){for(var r=0;r<s.length;)et(s[r++],s[r++],s[r++]);x.__c&&x.__c(t,e),e.some(function(i){try{e=i.__h,i.__h=[],e.some(function(o){o.call(i)})}catch(o){x.__e(o,i.__v)}})}function cr(e,t,s,r,i,o,c,a,u,d){var l,m,h,p,g,S,w,f,_=s.props||Pe,O=t.props,k=t.type;if(k=="svg"?i="http://www.w3.org/2000/svg":k=="math"?i="http://www.w3.org/1998/Math/MathML":i||(i="http://www.w3.org/1999/xhtml"),o){for(l=0;l<o.length;l++)if((g=o[l])&&(k?g.localName==k:g.nodeType==3)){e=g,o[l]=null;break}}if(!e){if(f=d.ownerDocument||document,!k)return f.createTextNode(O);e=f.createElementNS(i,k,O.is?O:d),a&&(x.__m&&x.__m(t,o),a=!1),o=null}if(k){if(d=k=="template"&&e.content||e,o=k=="textarea"&&O.defaultValue!=null?null:o&&Xe.call(d.childNodes),!a&&o)for(_={},l=0;l<e.attributes.length;l++)_[(g=e.attributes[l]).name]=g.value;for(l in _)g=_[l],l=="dangerouslySetInnerHTML"?h=g:l=="children"||l in O||l=="value"&&"defaultValue"in O||l=="checked"&&"defaultChecked"in O||je(e,l,null,g,i);for(l in O)g=O[l],l=="children"?p=g:l=="dangerouslySetInnerHTML"?m=g:l=="value"?S=g:l=="checked"?w=g:a&&typeof g!="function"||_[l]===g||je(e,l,g,_[l],i);m?(a||h&&(m.__html==h.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(h&&(e.textContent=""),(k=="foreignObject"||i=="http://www.w3.org/1998/Math/MathML"&&rr.test(k))&&(i="http://www.w3.org/1999/xhtml"),Zt(d,Ge(p)?p:[p],t,s,r,i,o,c,o?o[0]:s.__k&&G(s,0),a,u),o&&o.some(oe)),a&&k!="textarea"||(l="value",k=="progress"&&S==null?e.removeAttribute(l):S==null||S===e[l]&&(k!="progress"||S)||je(e,l,S,_[l],i),l="checked",w!=null&&w!=e[l]&&je(e,l,w,_[l],i))}else _===O||a&&e.data==O||(e.data=O);return e}function et(e,t,s,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(i){x.__e(i,s)}}function tt(e,t,s){var r,i,o,c;if(x.unmount&&x.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||et(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(a){x.__e(a,t)}r.__P=r.__n=null}if(r=e.__k)for(c=0;c<r.length;c++)r[c]&&tt(r[c],t,typeof e.type!="function"||s&&!e.props.__P);!s&&(r=e.__c)&&(r=r.__z)&&(i=Oe(r,o=[]))&&(r==e.__e&&o.some(oe),oe(i),oe(r)),s||oe(e.__e),e.__e=e.__c=e.__=null}function lr(e,t,s){return this.constructor(e,s)}function st(e,t){var s,r,i,o;x.__&&x.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(s=e&&32&e.__u)?null:t.__k,t.__k=fe(Ie,{children:[e]}),i=[],o=[],Qe(t,t.__k,r||Pe,Pe,t.namespaceURI,r?null:t.firstChild?Xe.call(t.childNodes):null,i,r?r.__e:t.firstChild,s,o),Qt(i,t.__k,o),t.__k.props.children=null}x={__e:function(e,t,s,r){for(var i,o,c;t=t.__;)if((i=t.__c)&&!(1&i.__g)){i.__g|=4;try{if((c=(o=i.constructor)&&o.getDerivedStateFromError)&&i.setState(o.getDerivedStateFromError(e)),i.componentDidCatch&&(i.componentDidCatch(e,r||{}),c=1),c&&8&i.__g)return void(i.__g|=2)}catch(a){e=a}}throw Ae=0,e}},qt=0,tr=function(e){return e!=null&&e.constructor===ge},ne.prototype.setState=function(e,t){var s=this.__s;s&&s!=this.state||(s=this.__s=ie({},this.state)),typeof e=="function"&&(e=e(ie({},s),this.props)),e&&(ie(s,e),this.__v&&(t&&this.__k.push(t),Vt(this)))},ne.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Vt(this))},ne.prototype.render=Ie,Z=[],Ae=0,Wt=function(e,t){return e.__v.__b-t.__v.__b},$e=Symbol(),Yt=/(PointerCapture)$|Capture$/i,Ze=0,Ke={},sr=0;var ts=function(e,t,s,r){var i;t[0]=0;for(var o=1;o<t.length;o++){var c=t[o++],a=t[o]?(t[0]|=c?1:2,s[t[o++]]):t[++o];c===3?r[0]=a:c===4?r[1]=Object.assign(r[1]||{},a):c===5?(r[1]=r[1]||{})[t[++o]]=a:c===6?r[1][t[++o]]+=a+"":c?(i=e.apply(a,ts(e,a,s,["",null])),r.push(i),a[0]?t[0]|=2:(t[o-2]=0,t[o]=i)):r.push(a)}return r},es=new Map;function ss(e){var t=es.get(this);return t||(t=new Map,es.set(this,t)),(t=ts(this,t.get(e)||(t.set(e,t=(function(s){for(var r,i,o=1,c="",a="",u=[0],d=function(h){o===1&&(h||(c=c.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?u.push(0,h,c):o===3&&(h||c)?(u.push(3,h,c),o=2):o===2&&c==="..."&&h?u.push(4,h,0):o===2&&c&&!h?u.push(5,0,!0,c):o>=5&&((c||!h&&o===5)&&(u.push(o,0,c,i),o=6),h&&(u.push(o,h,0,i),o=6)),c=""},l=0;l<s.length;l++){l&&(o===1&&d(),d(l));for(var m=0;m<s[l].length;m++)r=s[l][m],o===1?r==="<"?(d(),u=[u],o=3):c+=r:o===4?c==="--"&&r===">"?(o=1,c=""):c=r+c[0]:a?r===a?a="":c+=r:r==='"'||r==="'"?a=r:r===">"?(d(),o=1):o&&(r==="="?(o=5,i=c,c=""):r==="/"&&(o<5||s[l][m+1]===">")?(d(),o===3&&(u=u[0]),o=u,(u=u[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(d(),o=2):c+=r),o===3&&c==="!--"&&(o=4,u=u[0])}return d(),u})(e)),t),arguments,[])).length>1?t:t[0]}var le,A,rt,rs,ot=Object.is,_e=0,ds=[],it=[],$=x,os=$.__b,is=$.__r,ns=$.diffed,as=$.__c,cs=$.unmount,ls=$.__;function Re(e,t){$.__h&&$.__h(A,e,_e||t),_e=0;var s=A.__H||(A.__H={__:[],__h:[]});return e>=s.__.length&&s.__.push({}),s.__[e]}function b(e){return _e=1,ur(hs,e)}function ur(e,t,s){var r=Re(le++,2);if(r.t=e,!r.__c&&(r.__=[s?s(t):hs(void 0,t),function(o){var c=(r.__N||r.__)[0],a=r.t(c,o);ot(c,a)||(r.__N=[a,r.__[1]],r.__c.setState({}))}],r.__c=A,!A.__f)){A.__f=!0;var i=A.shouldComponentUpdate;A.shouldComponentUpdate=function(o,c,a){var u=this.__H;if(!u)return!0;var d=!1,l=this.props!=o;if(u.__.some(function(h){h.__N&&(d=!0,ot(h.__[0],h.__N[0])||(l=!0))}),i){var m=i.call(this,o,c,a);return d?m||l:m}return!d||l}}return r.__}function E(e,t){var s=Re(le++,3);!$.__s&&ct(s.__H,t)&&(s.__P=!0,s.__=e,s.u=t,A.__H.__h.push(s))}function at(e,t){var s=Re(le++,4);!$.__s&&ct(s.__H,t)&&(s.__P=!1,s.__=e,s.u=t,A.__h.push(s))}function P(e){return _e=5,ye(function(){return{current:e}},[])}function ye(e,t){var s=Re(le++,7);return ct(s.__H,t)&&(s.__=e(),s.__H=t),s.__}function Me(e,t){return _e=8,ye(function(){return e},t)}function pr(){var e;do{for(;e=it.shift();)try{we(e)}catch(s){$.__e(s,{__:(e=e.__P)&&e.__v})}for(;e=ds.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(we),t.__h.some(nt),t.__h=[]}catch(s){t.__h=[],$.__e(s,e.__v)}}}while(it.length)}$.__b=function(e){A=null,os&&os(e)},$.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),ls&&ls(e,t)},$.__r=function(e){is&&is(e),le=0;var t=(A=e.__c).__H;t&&(rt==A?A.__h=[]:(t.__h.some(we),t.__h.some(nt),le=0),t.__h=[],t.__.some(function(s){s.__N&&(s.__=s.__N),s.u=s.__N=void 0})),rt=A},$.diffed=function(e){ns&&ns(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&ps(ds.push(t)),t.__H.__.some(function(s){s.u&&(s.__H=s.u)})),rt=A=null},$.__c=function(e,t){t.some(function(s){try{s.__h.some(we),s.__h=s.__h.filter(function(r){return!r.__||nt(r)})}catch(r){s.__h=[function(){throw r}]}}),as&&as(e,t)},$.unmount=function(e){cs&&cs(e);var t,s,r=e.__c;r&&r.__H&&(r.__H.__.some(function(i){try{if(i.__P&&i.__c){if(s===void 0){for(s=e.__;s&&(!s.__c||!s.__c.__P);)s=s.__;s=s&&s.__c}i.__P=s,ps(it.push(i))}else we(i)}catch(o){t=o}}),r.__H=void 0,t&&$.__e(t,r.__v))};var us=typeof requestAnimationFrame=="function";function dr(e){var t,s=function(){clearTimeout(r),us&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(s,35);us&&(t=requestAnimationFrame(s))}function ps(e){e!=1&&rs==$.requestAnimationFrame||((rs=$.requestAnimationFrame)||dr)(pr)}function we(e){var t=A,s=e.__c;typeof s=="function"&&(e.__c=void 0,s()),A=t}function nt(e){var t=A;e.__c=e.__(),A=t}function ct(e,t){return!e||e.length!=t.length||t.some(function(s,r){return!ot(s,e[r])})}function hs(e,t){return typeof t=="function"?t(e):t}var n=ss.bind(Jt);var U=class{#e=new Set;constructor(t){this.value=t}set(t){this.value=t;for(let s of[...this.#e])s(t)}watch(t){return this.#e.add(t),()=>this.#e.delete(t)}};function v(e){let[t,s]=b(e.value);return E(()=>(s(e.value),e.watch(s)),[e]),t}var lt=null;function ut(){let[e,t=""]=location.hash.split("?"),s=new URLSearchParams(t);s.has("key")&&(lt=s.get("key"),s.delete("key"),history.replaceState(null,"",`${e}${s.size?`?${s}`:""}`))}function ms(){let e=lt;return lt=null,e}ut();var R=new U(pt(location.hash));addEventListener("hashchange",()=>{ut(),R.set(pt(location.hash))});function y(e,t="",s=[],r={}){let i=[e,t,...s].filter(Boolean).map(encodeURIComponent).join("/"),o=Object.entries(r).filter(([,a])=>a!=null&&a!==""),c=new URLSearchParams(o).toString();return`#/${i}${c&&`?${c}`}`}function T(e){let{area:t,view:s,values:r,query:i}=R.value;history.replaceState(null,"",y(t,s,r,{...i,...e})),R.set(pt(location.hash))}function pt(e){let[t,s=""]=e.replace(/^#\/?/,"").split("?"),[r="",i="",...o]=t.split("/").map(dt);return{area:r||"start",view:i,values:o,query:Object.fromEntries(new URLSearchParams(s))}}function dt(e){try{return decodeURIComponent(e)}catch{return e}}var ht=await fetch(document.querySelector("link[rel=preload][as=fetch]").href);if(!ht.ok)throw new Error(`service.json: ${ht.status}`);var M=await ht.json(),hr=new Map(M.operations.map(e=>[e.name,e])),mr=M.operations.map(e=>[new RegExp(`^/api/v1${e.path.replace(/\{\w+\}/g,"([^/]+)")}$`),e]);function be(e){return hr.get(e)}function fs(e,t){let s=e.path,r=new URLSearchParams;for(let[o,{path:c}]of Object.entries(e.arguments)){let a=t[o];c?s=s.replace(`{${c}}`,encodeURIComponent(a)):ws(a)||r.set(o,a)}let i=r.toString();return`/api/v1${s}${i&&`?${i}`}`}function gs(e,t){let s=Object.entries(e.arguments).filter(([r])=>!ws(t[r]));return Object.fromEntries(s.map(([r,{type:i}])=>[r,fr(t[r],i)]))}function Ne(e){if(!e?.startsWith("/api/v1/"))return null;let[t,s=""]=e.split("?");for(let[r,i]of mr){let o=r.exec(t);if(o)return{operation:i,values:o.slice(1).map(dt),query:new URLSearchParams(s)}}return null}function ws(e){return e==null||e===""}function fr(e,t){return t==="integer"?Number(e):t==="boolean"?e===!0||e==="true":String(e)}var gr=60,wr=12,pe=null,ae=new Map,W=new U(!1),Le=new U(null),Be=new U(null),ue=new U(0),ce=new U([]);function ft(e){ve(),pe=e,W.set(!0),X("get_context").catch(()=>{})}function ve(){pe=null,ae.clear(),Le.set(null),Be.set(null),ce.set([]),W.set(!1)}var mt=class extends Error{constructor(t){super(t.body?.error?.message??"The service did not respond."),this.exchange=t,this.status=t.status,this.retryAt=Date.now()+1e3*(t.retryAfter??0)}};async function X(e,t={},s=void 0){let r=be(e),i=fs(r,t),o=ae.get(i),c=pe,a=performance.now(),u={operation:r,args:t,path:i,status:0,milliseconds:0,body:null,etag:null},d;ue.set(ue.value+1);try{d=await fetch(i.slice(1),{headers:_r(o),cache:"no-store",signal:s}),u.status=d.status,u.body=d.status===304?o.body:await d.json()}catch(l){if(l.name==="AbortError")throw l}finally{ue.set(ue.value-1)}if(pe!==c)throw new DOMException("The key has changed.","AbortError");if(u.milliseconds=Math.round(performance.now()-a),d&&yr(u,d),ce.set([u,...ce.value].slice(0,wr)),u.status!==200&&u.status!==304)throw new mt(u);return u.body.data.grantedScopes&&Be.set(u.body.data.grantedScopes),br(i,u),u}function _r(e){return{Accept:"application/json",...pe&&{Authorization:`Bearer ${pe}`},...e&&{"If-None-Match":e.etag}}}function yr(e,{headers:t}){let s=r=>t.has(r)?Number(t.get(r)):void 0;e.etag=t.get("ETag"),e.requestId=t.get("X-Request-Id"),e.retryAfter=s("Retry-After"),t.has("RateLimit-Limit")&&(e.quota={limit:s("RateLimit-Limit"),remaining:s("RateLimit-Remaining"),resetAt:Date.now()+1e3*s("RateLimit-Reset")},Le.set(e.quota))}function br(e,{etag:t,body:s}){ae.delete(e),ae.set(e,{etag:t,body:s}),ae.size>gr&&ae.delete(ae.keys().next().value)}var De={body:null,error:null,isLoading:!1};function N(e,t){let[s,r]=b({...De,isLoading:t!==null}),[i,o]=b(0),c=v(W),a=t&&JSON.stringify(t);E(()=>{if(a===null||!c)return r(De);let d=new AbortController;return r(l=>({...l,error:null,isLoading:!0})),X(e,JSON.parse(a),d.signal).then(({body:l})=>r({...De,body:l,asked:a}),l=>l.name!=="AbortError"&&r({...De,error:l})),()=>d.abort()},[e,a,i,c]);let u=Me(()=>o(d=>d+1),[]);return{...s,retry:u}}function de(e,t,s){let[r,i]=b({bodies:[],error:null,isLoading:!0,following:null}),o=P(null),c=JSON.stringify(t),a=Me((d,l,m)=>{i({bodies:m,error:null,isLoading:!0,following:l}),X(e,l,d.signal).then(({body:h})=>i({bodies:[...m,h],error:null,isLoading:!1,following:s(h,l)}),h=>h.name!=="AbortError"&&i({bodies:m,error:h,isLoading:!1,following:l}))},[e]);E(()=>(o.current=new AbortController,a(o.current,JSON.parse(c),[]),()=>o.current.abort()),[a,c]);let u=()=>{!r.isLoading&&r.following&&a(o.current,r.following,r.bodies)};return{...r,hasMore:r.following!==null,more:u}}function Q(e,t=250){let[s,r]=b(e);return E(()=>{let i=setTimeout(()=>r(e),t);return()=>clearTimeout(i)},[e,t]),s}function _s(e){let[t,s]=b({module:null});if(E(()=>{e().then(r=>s({module:r}),r=>s({error:r}))},[]),t.error)throw t.error;return t.module}function ys(e,t){let s=P(null),r=P(e);return r.current=e,E(()=>{if(!t||!s.current)return;let i=new IntersectionObserver(o=>o.some(c=>c.isIntersecting)&&r.current(),{rootMargin:"400px"});return i.observe(s.current),()=>i.disconnect()}),s}function bs(e){E(()=>()=>ce.set([]),[e])}var vs=/^octx_[0-9A-Za-z]{40}$/,xs="This is not an API key. Paste the whole key: octx_ and 40 letters and digits.",gt="";function Ss(){let e=()=>{let t=ms();t!==null&&(gt=vs.test(t)?"":xs,gt||ft(t))};e(),R.watch(e)}function he({onDone:e,action:t="Explore"}){let s=P(null),[r,i]=b(gt);return n`<form class="key" onSubmit=${c=>{c.preventDefault();let a=s.current.value.trim();return s.current.value="",vs.test(a)?(i(""),ft(a),e?.()):i(xs)}} autocomplete="off">
    <label>API key
      <input ref=${s} type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required
        placeholder="octx_…" aria-describedby="key-note" aria-invalid=${r?"true":"false"} />
    </label>
    <button type="submit" class="primary">${t}</button>
    <p id="key-note" class="quiet">${r?n`<span class="error" role="alert">${r}</span>`:"The key stays in the memory of this page until you reload it."}</p>
  </form>`}var vr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium"}),xr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"}),Sr=new Intl.DateTimeFormat(void 0,{timeStyle:"short"}),Er=new Intl.RelativeTimeFormat(void 0,{numeric:"auto"}),Cr=new Intl.NumberFormat(void 0,{notation:"compact",maximumFractionDigits:1}),kr=new Intl.NumberFormat(void 0,{maximumFractionDigits:6}),jr=[["year",31557600],["month",2629800],["week",604800],["day",86400],["hour",3600],["minute",60],["second",1]],q=e=>vr.format(new Date(e)),J=e=>xr.format(new Date(e)),wt=e=>Sr.format(new Date(e)),ze=e=>Cr.format(e),F=e=>kr.format(e),_t=e=>Math.max(0,(Date.now()-new Date(e))/1e3);function Es(e){let[t,s]=Os(_t(e));return Er.format(-s,t)}function Cs(e){let[t,s]=Os(e*1.001);return`${s} ${t}${s===1?"":"s"}`}function xe(e){let t=e<1e3?0:Math.min(4,Math.floor(Math.log10(e)/3)),s=e/1e3**t;return`${t&&s<10?s.toFixed(1):Math.round(s)} ${["B","kB","MB","GB","TB"][t]}`}function ks(e){return`${Math.floor(e/60)}:${String(e%60).padStart(2,"0")}`}var js=e=>e.replace(/\B(?=(\d{3})+$)/g," "),$s=e=>e.replaceAll("_"," ");function Os(e){let[t,s]=jr.find(([,r])=>e>=r)??["second",1];return[t,Math.floor(e/s)]}var As={current:n`<circle cx="8" cy="8" r="5" />`,available:n`<circle cx="8" cy="8" r="5" />`,ready:n`<circle cx="8" cy="8" r="5" />`,stale:n`<path d="M8 2.5 14 13H2Z" />`,collecting:n`<path d="M8 2.5 14 13H2Z" />`,synthetic:n`<path d="M8 2 14 8 8 14 2 8Z" />`,unavailable:n`<path d="M3.5 3.5h9v9h-9Z" />`,error:n`<path d="M3.5 3.5h9v9h-9Z" />`,not_connected:n`<circle class="hollow" cx="8" cy="8" r="4.5" />`},Is={available:"current",ready:"current",collecting:"stale",error:"unavailable"};function Se({status:e,...t}){let s=Is[e]??e;return n`<svg class="shape tone-${s}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" ...${t}>
    ${As[e]??As.not_connected}
  </svg>`}function me({status:e}){return n`<span class="status tone-${Is[e]??e}"><${Se} status=${e} />${$s(e)}</span>`}function j({at:e,children:t}){return e?n`<time datetime=${e} title=${J(e)}>${t??Es(e)}</time>`:n`<span class="quiet">never</span>`}function z({text:e,term:t}){if(!t)return e;let s=new RegExp(`(${t.replace(/[.*+?^$\{}()|[\]\\]/g,"\\$&")})`,"giu");return e.split(s).map((r,i)=>i%2?n`<mark>${r}</mark>`:r)}function L({meta:e}){let{status:t,updatedAt:s,note:r}=e.freshness;return n`<p class="freshness">
    <${me} status=${t} />
    ${s&&n`<span>updated <${j} at=${s} /></span>`}
    ${r&&n`<span class="quiet" dir="auto">${r}</span>`}
  </p>`}function ee({pagination:e,page:t,onPage:s}){if(!e||e.totalPages<=1&&t<=1)return null;let{totalPages:r,total:i,hasNextPage:o}=e;return n`<nav class="pager" aria-label="Pages">
    <button type="button" disabled=${t<=1} onClick=${()=>s(t-1)}>Previous</button>
    <span>Page ${t} of ${Math.max(r,1)} <span class="quiet">· ${i} in all</span></span>
    <button type="button" disabled=${!o} onClick=${()=>s(t+1)}>Next</button>
  </nav>`}function Fe({text:e,label:t="Copy"}){let[s,r]=b(!1),i=async()=>{await navigator.clipboard.writeText(e),r(!0),setTimeout(r,1600,!1)};return navigator.clipboard?n`<button type="button" class="copy" onClick=${i}>
    <span aria-live="polite">${s?"Copied":t}</span>
  </button>`:null}function Ve({text:e,label:t}){return n`<div class="snippet">
    <pre tabindex="0" role="region" aria-label=${t}><code>${e}</code></pre>
    <${Fe} text=${e} />
  </div>`}function C(){return n`<p class="loading" role="status">Loading …</p>`}function B({children:e}){return n`<p class="empty">${e}</p>`}function I({error:e,retry:t,isWhole:s}){let{status:r}=e,i=Ps[r]??Ps[r>=500||r===0?503:400];return n`<div class="trouble" role="alert">
    ${s?n`<h1>${i.title}</h1>`:n`<h2>${i.title}</h2>`}
    <p dir="auto">${e.message}</p>
    <p>${i.what}</p>
    <p class="actions">
      ${r===401&&n`<button type="button" onClick=${ve}>Use another key</button>`}
      ${r===429&&n`<${$r} until=${e.retryAt} retry=${t} />`}
      ${(r===0||r>=500)&&n`<button type="button" onClick=${t}>Try again</button>`}
    </p>
    ${e.exchange?.requestId&&n`<p class="quiet">Request <code>${e.exchange.requestId}</code></p>`}
  </div>`}var Ps={0:{title:"The service did not respond",what:"Check that it runs and that you are online, then try again."},400:{title:"Invalid request",what:"Change the parameters; the same request fails again."},401:{title:"This key does not work",what:"It may be mistyped, expired or revoked, or its issuer is no longer an owner or admin. Ask an owner or admin for a new one."},403:{title:"This key lacks a scope",what:"An owner or admin can add the scope to the key; the key itself stays the same."},404:{title:"Not found",what:"It does not exist, or no approved source of this key exposes it."},409:{title:"The stored data is for another account",what:"It was collected for another account than the one connected now. An owner can collect it again."},429:{title:"Too many requests",what:"Wait until the time below has passed."},503:{title:"The service is unavailable",what:"No data is lost. Wait a moment and try again."}};function $r({until:e,retry:t}){let[s,r]=b(()=>Ts(e));return E(()=>{let i=setInterval(()=>r(Ts(e)),250);return()=>clearInterval(i)},[e]),n`<button type="button" disabled=${s>0} onClick=${t}>
    ${s>0?`Try again in ${s} s`:"Try again"}
  </button>`}var Ts=e=>Math.max(0,Math.ceil((e-Date.now())/1e3)),yt=new U(null);function bt(e){yt.set(e)}function D({url:e,children:t}){return n`<button type="button" class="outbound" dir="auto" onClick=${()=>bt(e)}>${t??e}</button>`}function Rs(){let e=v(yt),t=P(null);E(()=>{e&&t.current.showModal()},[e]);let s=()=>t.current.close(),r=/^(https?|mailto):/i.test(e??"");return n`<dialog ref=${t} aria-labelledby="outbound-title" onClose=${()=>yt.set(null)}>
    <h2 id="outbound-title">This link comes from a source</h2>
    <p>It has not been checked.</p>
    <p class="address" dir="ltr"><code>${e}</code></p>
    <p class="actions">
      ${r&&n`<a class="button" href=${e} target="_blank" rel="noopener noreferrer nofollow" onClick=${s}>Open in a new tab</a>`}
      <${Fe} text=${e??""} label="Copy address" />
      <button type="button" onClick=${s}>Close</button>
    </p>
  </dialog>`}var Ue={curl:{title:"curl",text:Ar},mcp:{title:"MCP",text:Pr},python:{title:"Python",text:Tr},json:{title:"JSON",text:({body:e})=>JSON.stringify(e,null,2)}};function qe({operations:e}){let t=v(ce),[s,r]=b(null),[i,o]=b("curl");if(E(()=>r(null),[t]),!t.length)return null;let c=({operation:d})=>e.indexOf(d.name),a=s??t.reduce((d,l)=>c(l)>c(d)?l:d),u=()=>X(a.operation.name,a.args).catch(()=>{});return n`<section class="strip" aria-label="The request of this view">
    <details>
      <summary>
        <span class="verb">GET</span> <code class="path">${a.path}</code>
        <${Or} exchange=${a} />
      </summary>
      <div class="strip-body">
        ${t.length>1&&n`<label class="field">Request
          <select value=${t.indexOf(a)} onChange=${d=>r(t[d.target.value])}>
            ${t.map((d,l)=>n`<option value=${l}>${d.status} ${d.path}</option>`)}
          </select></label>`}
        <dl class="facts">
          <div><dt>Status</dt><dd>${a.status===304?"304, unchanged":a.status||"no response"}</dd></div>
          <div><dt>Took</dt><dd>${a.milliseconds} ms</dd></div>
          <div><dt>ETag</dt><dd><code>${a.etag??"none"}</code></dd></div>
          <div><dt>Request</dt><dd><code>${a.requestId??"none"}</code></dd></div>
        </dl>
        <div class="tabs">
          ${Object.entries(Ue).map(([d,{title:l}])=>n`<button type="button" aria-pressed=${i===d} onClick=${()=>o(d)}>${l}</button>`)}
          <span class="spread"></span>
          <button type="button" class="again" onClick=${u}>Send again</button>
          <${Fe} text=${Ue[i].text(a)} />
        </div>
        <pre tabindex="0" role="region" aria-label=${Ue[i].title}><code>${Ue[i].text(a)}</code></pre>
      </div>
    </details>
  </section>`}function Or({exchange:{status:e,milliseconds:t}}){return n`<span class="outcome" role="status"><span class="tone-${e===200||e===304?"current":"unavailable"}">${e||"no response"}</span> <span class="quiet">${t} ms</span></span>`}function Ms(){let e=v(Le),[t,s]=b(Date.now());if(E(()=>{let a=setInterval(()=>s(Date.now()),1e3);return()=>clearInterval(a)},[]),!e)return null;let r=e.resetAt<=t,i=r?e.limit:e.remaining,o=Math.ceil((e.resetAt-t)/1e3),c=r?"A new minute has begun; all requests are left.":`Resets in ${o} s`;return n`<span class="quota" title=${c}>
    <meter min="0" max=${e.limit} low=${e.limit/5} value=${i} aria-label="Requests left"></meter>
    <span>${i} of ${e.limit} left</span>
  </span>`}function Ar({path:e}){return`curl -sS '${Ns(e)}' \\
  -H "Authorization: Bearer $${M.variable}"`}function Pr({operation:e,args:t}){let s={name:e.name,arguments:gs(e,t)},r=JSON.stringify({jsonrpc:"2.0",id:1,method:"tools/call",params:s},null,2);return`curl -sS '${M.baseUrl}/api/mcp' \\
  -H "Authorization: Bearer $${M.variable}" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  --data-binary @- <<'EOF'
${r}
EOF`}function Tr({path:e}){return`import json
import os
from urllib.request import Request, urlopen

request = Request(
    "${Ns(e)}",
    headers={"Authorization": f"Bearer {os.environ['${M.variable}']}"},
)
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`}var Ns=e=>`${M.baseUrl}${e.replaceAll("'","%27")}`;var Ls="./icon-KB2SD46C.svg";var xt={};K(xt,{Assets:()=>vt,operations:()=>Rr,shows:()=>Mr});var Rr=["list_assets","read_asset"],Mr=({values:[e]})=>e?`the file or folder ${e}`:"the names, sizes and dates of files",Nr=(e,t)=>e.pagination.hasNextPage?{...t,page:e.pagination.page+1}:null;function vt({values:e}){return n`
    <h1>Files</h1>
    <p class="quiet">Names, sizes and dates. The contents of files are never served.</p>
    <div class="split">
      <div class="tree"><${Bs} isRoot=${!0} chosen=${e[0]} /></div>
      <div class="detail">${e[0]?n`<${Br} id=${e[0]} />`:n`<${B}>Select a file or a folder.<//>`}</div>
    </div>
  `}function Bs({id:e,isRoot:t,chosen:s}){let{bodies:r,error:i,isLoading:o,hasMore:c,more:a}=de("list_assets",{folderId:e},Nr),u=r.flatMap(d=>d.data);return n`
    ${i&&n`<${I} error=${i} retry=${a} />`}
    ${!o&&!i&&!u.length&&n`<p class="quiet">Empty.</p>`}
    <ul>${u.map(d=>n`<${Lr} key=${d.id} asset=${d} chosen=${s} />`)}</ul>
    ${o&&n`<${C} />`}
    ${c&&!o&&n`<button type="button" class="more" onClick=${a}>Load more</button>`}
    ${t&&r[0]&&n`<${L} meta=${r[0].meta} />`}
  `}function Lr({asset:e,chosen:t}){let[s,r]=b(!1),i=n`<a href=${y("explore","assets",[e.id])} aria-current=${t===e.id?"true":void 0} dir="auto">${e.name}</a>`;return e.kind==="file"?n`<li class="file">${i} <span class="quiet">${xe(e.bytes)}</span>${e.public&&n` <span class="chip">public</span>`}</li>`:n`<li class="folder">
    <button type="button" class="twist" aria-expanded=${s} aria-label=${`Contents of ${e.name}`} onClick=${()=>r(!s)}></button>
    ${i}
    ${s&&n`<${Bs} id=${e.id} chosen=${t} />`}
  </li>`}function Br({id:e}){let{body:t,error:s,retry:r}=N("read_asset",{id:e});if(s)return n`<${I} error=${s} retry=${r} />`;if(!t)return n`<${C} />`;let{data:i}=t,o=(c,a)=>n`<div><dt>${c}</dt><dd dir="auto">${a}</dd></div>`;return n`<section class="card" aria-label="Selected">
    <p class="eyebrow">${i.kind}</p>
    <h2 dir="auto">${i.name}</h2>
    <dl class="facts">
      ${i.kind==="file"&&o("Size",`${xe(i.bytes)} (${i.bytes} bytes)`)}
      ${i.mime&&o("Type",i.mime)}
      ${o("Visible",i.public?"to everybody":"to the organization")}
      ${i.publicUrl&&o("Address",n`<${D} url=${i.publicUrl} />`)}
      ${i.uploadedBy&&o("From",i.uploadedBy.displayName??i.uploadedBy.id)}
      ${o("Created",J(i.createdAt))}
      ${o("Changed",J(i.updatedAt))}
      ${i.parentId&&o("In",n`<a href=${y("explore","assets",[i.parentId])}>its folder</a>`)}
      ${o("Id",n`<code>${i.id}</code>`)}
    </dl>
    <${L} meta=${t.meta} />
  </section>`}var Et={};K(Et,{Chats:()=>St,operations:()=>Dr,queries:()=>Fr,shows:()=>zr});var Dr=["list_telegram_chats","list_telegram_messages"],zr=({values:[e],query:{around:t,q:s}})=>e?s?`the messages of a chat that contain “${s}”`:t?`message ${t} of a chat, between its neighbours`:"the messages of a chat":"the linked chats",Fr={list_telegram_messages:Ur},Vr=2**31-1;function Ur({before:e,...t}){return t.limit==="1"&&e>1?{around:e-1}:{before:e,...t}}function St({values:e,query:t}){let{before:s,around:r}=t;return e[0]?n`<${Wr} key=${`${e[0]} ${s} ${r}`} id=${e[0]} before=${s} around=${r} />`:n`<${qr} />`}function qr(){let{query:e}=v(R),t=Number(e.page??1),{body:s,error:r,retry:i}=N("list_telegram_chats",{page:t});return r?n`<${I} isWhole error=${r} retry=${i} />`:s?n`
    <h1>Chats</h1>
    ${!s.data.length&&n`<${B}>No linked chat is approved.<//>`}
    <ul class="cards">
      ${s.data.map(o=>n`<li class="card" key=${o.id}>
        <p class="eyebrow">${o.type}</p>
        <h2 dir="auto"><a href=${y("explore","chats",[o.id])}>${o.title}</a></h2>
        ${o.username&&n`<p class="quiet" dir="ltr">@${o.username}</p>`}
        <dl class="figures">
          <div><dt>messages</dt><dd>${F(o.trackedMessageCount)}</dd></div>
          <div><dt>members</dt><dd>${ze(o.memberCount)}</dd></div>
          <div><dt>last</dt><dd><${j} at=${o.lastMessageAt} /></dd></div>
        </dl>
        <p class="quiet">Linked ${q(o.linkedAt)}</p>
      </li>`)}
    </ul>
    <${ee} pagination=${s.pagination} page=${t} onPage=${o=>T({page:o})} />
    <${L} meta=${s.meta} />
  `:n`<${C} />`}function Wr({id:e,before:t,around:s}){let{query:r}=v(R),i=Q(r.q??""),c=N("list_telegram_chats",{}).body?.data.find(f=>f.id===e),{bodies:a,error:u,isLoading:d,hasMore:l,more:m}=de("list_telegram_messages",{chatId:e,q:i,...i?{}:{before:t,around:s}},({pagination:f})=>f.hasMore?{chatId:e,q:i,before:f.nextBefore}:null),h=a.flatMap(f=>f.data).reverse(),p=i?void 0:Number(s),g=h.some(f=>f.id===p),S=Yr(h.length),w=f=>y("explore","chats",[e],{around:f});return n`
    <p class="crumb"><a href=${y("explore","chats")}>Chats</a></p>
    <h1 dir="auto">${c?.title??"Conversation"}</h1>
    <form class="filters" role="search" onSubmit=${f=>f.preventDefault()}>
      <label class="field wide">Search in this chat
        <input type="search" maxlength="200" value=${r.q??""} dir="auto" onInput=${f=>T({q:f.target.value})} /></label>
      ${(t||s)&&n`<a class="button" href=${y("explore","chats",[e])}>Newest messages</a>`}
    </form>
    ${u&&n`<${I} error=${u} retry=${m} />`}
    ${a[0]?.pagination.searchLimited&&n`<p class="quiet">Only the newest messages were searched.</p>`}
    ${p&&h.length>0&&!g&&n`<p class="quiet" role="status">Message ${p} is not stored. These are the messages around it.</p>`}
    <div class="conversation" ref=${S} tabindex="0" role="region" aria-label="Messages">
      <p class="older">
        ${d?n`<${C} />`:l?n`<button type="button" class="more" onClick=${m}>Older messages</button>`:n`<span class="quiet">${h.length?"Beginning of the stored messages.":"No message matches."}</span>`}
      </p>
      <ol>${h.map((f,_)=>n`<${Jr} key=${f.id} message=${f} previous=${h[_-1]}
        quoted=${h.find(O=>O.id===f.replyToMessageId)} term=${i} isHit=${f.id===p} link=${w} />`)}</ol>
      ${p&&h.at(-1)?.id>p&&n`<p class="older"><a class="button" href=${w(h.at(-1).id)}>Newer messages</a></p>`}
    </div>
    ${a[0]&&n`<${L} meta=${a[0].meta} />`}
  `}function Yr(e){let t=P(null),s=P(null);return at(()=>{let r=t.current;if(!e)return;let i=()=>{s.current=r.scrollHeight-r.clientHeight-r.scrollTop},o=s.current===null&&r.querySelector("[aria-current]");return o?o.scrollIntoView({block:"center"}):r.scrollTop=r.scrollHeight-r.clientHeight-(s.current??0),i(),r.addEventListener("scroll",i,{passive:!0}),()=>r.removeEventListener("scroll",i)},[e]),t}function Jr({message:e,previous:t,quoted:s,term:r,isHit:i,link:o}){let{id:c,sender:a,text:u,detail:d,kind:l,file:m,sentAt:h,editedAt:p,replyToMessageId:g}=e,S=!t||q(t.sentAt)!==q(h),w=S||t.sender.name!==a.name;return n`
    ${S&&n`<li class="day">${q(h)}</li>`}
    <li class=${`message${i?" hit":""}`} aria-current=${i?"true":void 0}>
      ${w&&n`<p class="sender" dir="auto">${a.name} ${a.username&&n`<span class="quiet" dir="ltr">@${a.username}</span>`}</p>`}
      <div class="bubble">
        ${g!==null&&n`<p class="quoted" dir="auto"><${Hr} id=${g} quoted=${s} link=${o} /></p>`}
        ${l!=="text"&&n`<p class="attachment" dir="auto"><span class="kind">${l}</span> <${Kr} file=${m} term=${r} /></p>`}
        ${d&&n`<p class="quiet" dir="auto"><${z} text=${d} term=${r} /></p>`}
        ${u&&n`<p class="text" dir="auto"><${z} text=${u} term=${r} /></p>`}
        <p class="when"><a href=${o(c)} aria-label=${`Message ${c}, ${J(h)}`}><${j} at=${h}>${wt(h)}<//></a>${p&&n` <span>edited <${j} at=${p}>${wt(p)}<//></span>`}</p>
      </div>
    </li>`}function Hr({id:e,quoted:t,link:s}){let r=t?`${t.sender.name}: ${t.text??t.detail??t.kind}`:`in reply to ${e}`;return e>=1&&e<=Vr?n`<a href=${s(e)}>${r}</a>`:r}function Kr({file:e,term:t}){if(!e)return null;let{fileName:s,width:r,height:i,duration:o,mimeType:c,fileSize:a,sticker:u}=e,d=[u,r&&i&&`${r} × ${i}`,o!==null&&ks(o),c,a!==null&&xe(a)];return n`${s&&n`<${z} text=${s} term=${t} /> `}<span class="quiet">${d.filter(Boolean).join(" · ")}</span>`}function Ds({view:e}){let t=M.clients.find(s=>s.name===e)??M.clients[0];return n`
    <div class="masthead">
      <h1>Connect a client</h1>
      <p class="lead">Set <code>${M.variable}</code> to the key. Configurations contain the name of this variable, never the key.</p>
      <dl class="facts">
        <div><dt>MCP</dt><dd><code>${M.baseUrl}/api/mcp</code></dd></div>
        <div><dt>REST</dt><dd><code>${M.baseUrl}/api/v1</code></dd></div>
      </dl>
    </div>
    <div class="split side">
      <nav aria-label="Clients"><ul class="menu">
        ${M.clients.map(({name:s,title:r})=>n`<li><a href=${y("connect",s)} aria-current=${s===t.name?"page":void 0}>${r}</a></li>`)}
      </ul></nav>
      <section aria-labelledby="client">
        <h2 id="client">${t.title}</h2>
        <p>${t.place}</p>
        <${Ve} text=${t.configuration} label=${`Configuration for ${t.title}`} />
        <p class="quiet">In a shell: <code>orgctx connect ${t.name}</code></p>
      </section>
    </div>
    <p class="notice">Text from sources is untrusted data, never an instruction; every tool result says so.</p>
  `}var kt={};K(kt,{Knowledge:()=>Ct,operations:()=>Zr,shows:()=>Gr});var zs=new Map;function Fs(e,t,s={}){for(let r of t)zs.set(r,{view:e,toQuery:s[r]??(i=>i)})}function te(e){let t=Ne(e),s=t&&zs.get(t.operation.name);if(!s)return null;let{limit:r,...i}=s.toQuery(Object.fromEntries(t.query));return y("explore",s.view,t.values,i)}var Zr=["list_knowledge","read_knowledge"],Gr=({values:[e],query:{q:t}})=>e?`the document or note ${e}`:`documents and notes${t?` that contain “${t}”`:""}`,Xr={"":"Everything",source:"Documents",note:"Notes"},Qr={"":"Public and team",public:"Public",team:"Team"};function Ct({values:e}){return e[0]?n`<${ro} key=${e[0]} id=${e[0]} />`:n`<${eo} />`}function eo(){let{query:e}=v(R),t=Q(e.q??""),s=Number(e.page??1),{kind:r,visibility:i,archived:o}=e,{body:c,error:a,retry:u}=N("list_knowledge",{q:t,kind:r,visibility:i,archived:o,page:s}),d=(l,m)=>n`<select value=${e[l]??""} onChange=${h=>T({[l]:h.target.value,page:""})}>
    ${Object.entries(m).map(([h,p])=>n`<option value=${h}>${p}</option>`)}
  </select>`;return n`
    <h1>Library</h1>
    <form class="filters" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="field wide">Text
        <input type="search" maxlength="200" value=${e.q??""} dir="auto"
          onInput=${l=>T({q:l.target.value,page:""})} /></label>
      <label class="field">Kind ${d("kind",Xr)}</label>
      <label class="field">For ${d("visibility",Qr)}</label>
      <label class="check"><input type="checkbox" checked=${o==="true"}
        onChange=${l=>T({archived:l.target.checked?"true":"",page:""})} /> Archived</label>
    </form>
    ${a&&n`<${I} error=${a} retry=${u} />`}
    ${!c&&!a&&n`<${C} />`}
    ${c&&n`
      ${!c.data.length&&n`<${B}>No document or note matches.<//>`}
      <ol class="results">${c.data.map(l=>n`<${to} key=${l.id} item=${l} term=${t} />`)}</ol>
      <${ee} pagination=${c.pagination} page=${s} onPage=${l=>T({page:l})} />
      <${L} meta=${c.meta} />`}
  `}function to({item:e,term:t}){return n`<li>
    <h2 dir="auto"><a href=${y("explore","knowledge",[e.id])}><${z} text=${e.title} term=${t} /></a></h2>
    <p dir="auto"><${z} text=${e.preview} term=${t} /></p>
    <${Vs} item=${e} />
  </li>`}function Vs({item:e}){let{source:t,sourceLabel:s,sourceHref:r,sourceStatus:i,visibility:o,archived:c,updatedAt:a}=e;return n`<p class="byline">
    <span class="kind">${t}</span>
    <span dir="auto">${r?n`<${so} href=${r} label=${s} />`:s}</span>
    <${j} at=${a} />
    ${o==="team"&&n`<span class="chip">team</span>`}
    ${c&&n`<span class="chip">archived</span>`}
    ${i!=="current"&&n`<span class="chip">${i}</span>`}
  </p>`}function so({href:e,label:t}){let s=te(e);return s?n`<a href=${s}>${t}</a>`:n`<${D} url=${e}>${t}<//>`}function ro({id:e}){let[t,s]=b(!1),{bodies:r,error:i,isLoading:o,hasMore:c,more:a}=de("read_knowledge",{id:e},h=>{let{nextOffset:p}=h.data.contentRange;return p===null?null:{id:e,offset:p}}),u=ys(a,c&&!o&&!i),d=r[0]?.data,l=r.at(-1)?.data.contentRange,m=l&&l.offset+l.length;return n`
    <p class="crumb"><a href=${y("explore","knowledge")}>Library</a></p>
    ${d&&n`
      <article class="document" aria-busy=${o}>
        <header>
          <h1 dir="auto">${d.title}</h1>
          <${Vs} item=${d} />
          <div class="reading">
            <meter min="0" max=${l.total||1} value=${l.total?m:1} aria-label="Loaded part"></meter>
            <span class="quiet">${F(m)} of ${F(l.total)}${c?"; scroll to load the rest":""}</span>
            ${d.contentFormat==="markdown"&&n`<span class="segmented" role="group" aria-label="Show as">
              <button type="button" aria-pressed=${!t} onClick=${()=>s(!1)}>Rendered</button>
              <button type="button" aria-pressed=${t} onClick=${()=>s(!0)}>Plain</button>
            </span>`}
          </div>
        </header>
        ${t||d.contentFormat!=="markdown"?n`<div class="plain-text" dir="auto">${r.map(h=>h.data.content).join("")}</div>`:n`<${oo} bodies=${r} isWhole=${!c} />`}
        <footer class="quiet">Created ${q(d.createdAt)} · <code>${d.id}</code></footer>
      </article>
      <${L} meta=${r[0].meta} />`}
    ${i&&n`<${I} isWhole=${!d} error=${i} retry=${a} />`}
    ${o&&n`<${C} />`}
    <div ref=${u}></div>
  `}function oo({bodies:e,isWhole:t}){let s=P(null),r=P({count:0,rest:"",env:{}}),i=_s(()=>import("./markdown-O2JTIDQJ.js"));E(()=>{if(!i)return;let{cut:c,rendered:a}=i,u=r.current;u.tail?.forEach(m=>m.remove()),u.tail=null,u.rest+=e.slice(u.count).map(m=>m.data.content).join(""),u.count=e.length;let[d,l]=t?[u.rest,""]:c(u.rest);if(d&&s.current.append(a(d,u.env)),u.rest=l,l){let m=a(l,{...u.env});u.tail=[...m.childNodes],s.current.append(m)}},[i,e.length,t]);let o=c=>{let a=c.target.closest("button.outbound");a&&bt(a.address)};return n`${!i&&n`<${C} />`}<div class="prose" ref=${s} onClick=${o}></div>`}var $t={};K($t,{Mentions:()=>jt,operations:()=>io,shows:()=>no});var io=["list_x_mentions"],no=()=>"the posts that mention the organization";function jt(){let{query:e}=v(R),t=Number(e.page??1),{body:s,error:r,retry:i}=N("list_x_mentions",{page:t});return n`
    <h1>Mentions</h1>
    ${r&&n`<${I} error=${r} retry=${i} />`}
    ${!s&&!r&&n`<${C} />`}
    ${s&&n`
      <${L} meta=${s.meta} />
      ${!s.data.length&&n`<${B}>No post is stored.<//>`}
      <ul class="cards posts">${s.data.map(o=>n`<${ao} key=${o.id} post=${o} />`)}</ul>
      <${ee} pagination=${s.pagination} page=${t} onPage=${o=>T({page:o})} />`}
  `}function ao({post:e}){let{author:t,text:s,createdAt:r,metrics:i,media:o,quoted:c,isReply:a,isRepost:u,url:d}=e;return n`<li class="card">
    <p class="byline"><${Us} author=${t} /> <${j} at=${r} />
      ${a&&n`<span class="chip">reply</span>`}${u&&n`<span class="chip">repost</span>`}</p>
    <p class="text" dir="auto">${s}</p>
    ${o.length>0&&n`<ul class="plain-list media">${o.map(l=>n`<li><span class="kind">${l.type}</span> <${D} url=${l.url} />
      ${l.previewUrl!==l.url&&n`<${D} url=${l.previewUrl} />`}</li>`)}</ul>`}
    ${c&&n`<blockquote><p class="byline"><${Us} author=${c.author} /></p><p class="text" dir="auto">${c.text}</p><p><${D} url=${c.url}>Open the post<//></p></blockquote>`}
    <dl class="figures">${Object.entries(i).map(([l,m])=>n`<div><dt>${l}</dt><dd title=${F(m)}>${ze(m)}</dd></div>`)}</dl>
    <p class="byline"><${D} url=${d}>Open the post<//> <code>${e.id}</code></p>
  </li>`}function Us({author:e}){return n`<strong dir="auto">${e.name}</strong> <span class="quiet" dir="ltr">@${e.username}${e.verified&&" · verified"}</span>`}var Pt={};K(Pt,{Overview:()=>At,operations:()=>ho,shows:()=>mo});var Ot=60,co=3*31557600,qs=[[3600,"hour"],[86400,"day"],[604800,""],[2629800,"month"],[31557600,"year"]],We=360;function Ee(e){let t=Math.log(Math.max(e,Ot)/Ot)/Math.log(co/Ot);return Math.round(10+Math.min(1,t)*(We-20))}function Ws({sources:e}){return e.length?n`<section class="freshness-picture" aria-labelledby="freshness-title">
    <div class="section-head">
      <h2 id="freshness-title">Freshness</h2>
      <p class="quiet">The mark shows the age of a source, the band its freshness target. A source past its target is stale.</p>
    </div>
    <table>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Status</th>
          <th scope="col">Age and target</th>
          <th scope="col" class="line"><span class="sr">On a time axis</span><${uo} /></th>
        </tr>
      </thead>
      <tbody>${e.map(t=>n`<${lo} key=${t.id} source=${t} />`)}</tbody>
    </table>
  </section>`:n`<${B}>No source is approved for this key. An owner or admin can approve sources.<//>`}function lo({source:e}){let{label:t,kind:s,count:r,description:i,href:o,status:c,updatedAt:a,staleAfterSeconds:u}=e,d=te(o);return n`<tr>
    <th scope="row">
      <span class="label" dir="auto">${d?n`<a href=${d}><${z} text=${t} /></a>`:t}</span>
      <span class="kind">${s}${r!==void 0&&` · ${r}`}</span>
      <span class="quiet about" dir="auto">${i}</span>
    </th>
    <td><${me} status=${c} /></td>
    <td><${j} at=${a} /><span class="quiet about">${u===void 0?"no freshness target":`stale after ${Cs(u)}`}</span></td>
    <td class="line"><${po} status=${c} updatedAt=${a} target=${u} /></td>
  </tr>`}function uo(){return n`<svg viewBox="0 0 ${We} 16" aria-hidden="true" class="scale">
    <text x="10" y="12">now</text>
    ${qs.map(([e,t])=>n`<text x=${Ee(e)} y="12" text-anchor="middle">${t}</text>`)}
  </svg>`}function po({status:e,updatedAt:t,target:s}){let r=t?Ee(_t(t)):null,i=s===void 0?null:Ee(s),o=i!==null&&r!==null&&r>i;return n`<svg viewBox="0 0 ${We} 28" aria-hidden="true" class="age tone-${e}">
    ${qs.map(([c])=>n`<line class="tick" x1=${Ee(c)} x2=${Ee(c)} y1="0" y2="28" />`)}
    <line class="base" x1="10" x2=${We-10} y1="14" y2="14" />
    ${i!==null&&n`<rect class="promise" x="10" y="8" width=${i-10} height="12" rx="3" />`}
    ${o&&n`<line class="late" x1=${i} x2=${r} y1="14" y2="14" />`}
    ${r!==null&&n`<${Se} status=${e} x=${r-10} y="4" width="20" height="20" />`}
  </svg>`}var ho=["get_context","list_sources"],mo=()=>"the organization, its sources, and how fresh each of them is";function At(){let{body:e,error:t,retry:s}=N("get_context",{});if(t)return n`<${I} isWhole error=${t} retry=${s} />`;if(!e)return n`<${C} />`;let{organization:r,grantedScopes:i,sources:o,connections:c}=e.data;return n`
    <div class="masthead">
      <p class="eyebrow">Organization</p>
      <h1 dir="auto">${r.displayName??"Organization"}</h1>
      <p class="quiet">
        ${r.slug&&n`<code>${r.slug}</code> · `}
        ${r.createdAt&&n`since ${q(r.createdAt)} · `}
        ${o.length} ${o.length===1?"source":"sources"}
      </p>
      <ul class="chips" aria-label="Scopes of this key">
        ${i.map(a=>n`<li class="chip"><code>${a}</code></li>`)}
      </ul>
    </div>
    <${Ws} sources=${o} />
    <details class="more">
      <summary>Identifiers and connections</summary>
      <dl class="facts">
        <div><dt>Organization</dt><dd><code>${r.id}</code></dd></div>
        ${o.map(({id:a,label:u,href:d})=>n`<div><dt dir="auto">${u}</dt><dd><code>${a}</code>, <code>${d}</code></dd></div>`)}
        ${Object.entries(c).map(([a,u])=>n`<div><dt>${a}</dt><dd>${fo(u)}</dd></div>`)}
      </dl>
    </details>
  `}function fo(e){return Object.entries(e).filter(([,s])=>s!==null&&typeof s!="object").map(([s,r])=>`${s} ${r}`).join(", ")}var It={};K(It,{People:()=>Tt,operations:()=>go,shows:()=>wo});var go=["list_people","read_person"],wo=({values:[e],query:{q:t}})=>e?`the person ${e} and their latest activity`:`people${t?` named “${t}”`:""}, by their latest activity`;function Tt({values:e}){return e[0]?n`<${yo} key=${e[0]} id=${e[0]} />`:n`<${_o} />`}function _o(){let{query:e}=v(R),t=Q(e.q??""),s=Number(e.page??1),{body:r,error:i,retry:o}=N("list_people",{q:t,page:s}),c=Math.max(1,...(r?.data??[]).map(a=>a.activityCount));return n`
    <h1>People</h1>
    <form class="filters" role="search" onSubmit=${a=>a.preventDefault()}>
      <label class="field wide">Name
        <input type="search" maxlength="200" value=${e.q??""} dir="auto" onInput=${a=>T({q:a.target.value,page:""})} /></label>
    </form>
    ${i&&n`<${I} error=${i} retry=${o} />`}
    ${!r&&!i&&n`<${C} />`}
    ${r&&n`
      ${r.pagination.searchLimited&&n`<p class="quiet">Only the most recently active people were searched.</p>`}
      ${!r.data.length&&n`<${B}>No person in an approved source matches.<//>`}
      <ul class="people">${r.data.map(a=>n`<li key=${a.key}>
        <a href=${y("explore","people",[a.key])} dir="auto"><${z} text=${a.displayName} term=${t} /></a>
        <span class="quiet" dir="ltr">${a.username?n`@<${z} text=${a.username} term=${t} />`:""}</span>
        <span class="kind">${a.platform}</span>
        <span class="activity"><meter min="0" max=${c} value=${a.activityCount} aria-label="Activity"></meter> ${F(a.activityCount)}</span>
        <span class="quiet"><${j} at=${a.lastActiveAt} /></span>
      </li>`)}</ul>
      <${ee} pagination=${r.pagination} page=${s} onPage=${a=>T({page:a})} />
      <${L} meta=${r.meta} />`}
  `}function yo({id:e}){let{body:t,error:s,retry:r}=N("read_person",{key:e});if(s)return n`<${I} isWhole error=${s} retry=${r} />`;if(!t)return n`<${C} />`;let{data:i}=t;return n`
    <p class="crumb"><a href=${y("explore","people")}>People</a></p>
    <div class="masthead">
      <p class="eyebrow">${i.platform}${i.verified&&" · verified"}</p>
      <h1 dir="auto">${i.displayName}</h1>
      <p class="quiet">
        ${i.username&&n`<span dir="ltr">@${i.username}</span> · `}
        ${F(i.activityCount)} in all · since ${q(i.firstActiveAt)} · last <${j} at=${i.lastActiveAt} />
      </p>
      ${i.profileUrl&&n`<p><${D} url=${i.profileUrl} /></p>`}
      <p class="quiet"><code>${i.key}</code></p>
    </div>
    <h2>Sources</h2>
    <ul class="plain-list">${i.sources.map(o=>n`<li key=${o.sourceId}>
      <span dir="auto">${o.label}</span> <span class="quiet">${F(o.activityCount)} · last <${j} at=${o.lastActiveAt} /></span>
    </li>`)}</ul>
    <h2>Latest activity</h2>
    <ol class="timeline">${i.recentActivity.map(o=>n`<li key=${o.id}>
      <p class="byline"><span class="kind">${o.kind}</span> <${j} at=${o.at} /></p>
      <p dir="auto"><${bo} one=${o} /></p>
    </li>`)}</ol>
    <${L} meta=${t.meta} />
  `}function bo({one:e}){let t=te(e.href),s=e.preview||`without text (${e.id})`;return t?n`<a href=${t}>${s}</a>`:e.href?n`<${D} url=${e.href}>${s}<//>`:s}var Ys="./swagger-ui-ZNARJ7LG.js";var Js="./swagger-ui-KBCBW7CB.css";var Rt=null;function Ks({view:e}){let t=P(null),[s,r]=b(!1),[i,o]=b(!1),c=v(W);return E(()=>{let a=null;return Rt??=jo(),Rt.then(u=>{t.current&&(a=Ao(u,t.current,()=>o(!0)))},()=>{Rt=null,r(!0)}),()=>a?.()},[]),E(()=>{i&&e&&So(t.current,e)},[i,e]),n`
    <div class="masthead">
      <h1>Reference</h1>
      <p class="lead">The contract as this service serves it: <a href="api/v1/openapi.json">api/v1/openapi.json</a>, OpenAPI 3.1.</p>
    </div>
    ${!c&&n`<section class="card entrance" aria-labelledby="try"><h2 id="try">Try it</h2>
      <p>Paste a key, and each operation below sends its request with it.</p><${he} action="Use key" /></section>`}
    <nav class="operations" aria-label="Operations"><ul class="chips">
      ${M.operations.map(({name:a,title:u})=>n`<li><a class="chip" href=${y("reference",a)} aria-current=${a===e?"page":void 0}>${u}</a></li>`)}
    </ul></nav>
    <h2 class="sr">Operations</h2>
    ${s?n`<p role="alert">The viewer could not be loaded. Reload the page to try again.</p>`:n`<div class="reference" ref=${t} onClick=${Eo}><${C} /></div>`}
    <${qe} operations=${[]} />
  `}var Zs=e=>e.id.split("-").at(-1);function So(e,t){let s=[...e.querySelectorAll(".opblock")].find(i=>Zs(i)===t);if(!s)return;let r=s.querySelector(".opblock-summary-control");r.getAttribute("aria-expanded")==="false"&&r.click(),requestAnimationFrame(()=>{r.focus({preventScroll:!0}),s.scrollIntoView()})}function Eo({target:e}){let t=e.closest(".opblock-summary-control")?.closest(".opblock");t&&history.replaceState(null,"",y("reference",Zs(t)))}async function Co(e){let{pathname:t,search:s}=new URL(e,location.href),r=t.slice(t.indexOf("/api/v1/"))+s,i=Ne(r);if(!i)return fetch(r.slice(1));let o=await X(i.operation.name,ko(i)).catch(a=>{if(!a.exchange)throw a;return a.exchange}),c={"Content-Type":"application/json","X-Request-Id":o.requestId??""};return new Response(JSON.stringify(o.body),{status:o.status===304?200:o.status,headers:c})}function ko({operation:e,values:t,query:s}){let r=[...t];return Object.fromEntries(Object.entries(e.arguments).map(([i,{path:o}])=>[i,o?r.shift():s.get(i)]))}async function jo(){let e=t=>new URL(t,import.meta.url).href;return await Promise.all([Hs("link",{rel:"stylesheet",href:e(Js)}),Hs("script",{src:e(Ys)})]),{SwaggerUI:globalThis.SwaggerUIBundle,spec:await $o()}}function Hs(e,t){return new Promise((s,r)=>{document.head.prepend(Object.assign(document.createElement(e),{...t,onload:s,onerror:r}))})}async function $o(){let t=await(await fetch("api/v1/openapi.json")).json(),s=Object.values(t.paths).flatMap(r=>Object.values(r));for(let r of s.flatMap(i=>i.parameters??[]))r.required||r.example===void 0||(r.description+=` Example: \`${r.example}\``,delete r.example);return t}function Oo({React:e}){let t=e.createElement,s=["errors","operations","Models"],r=({getComponent:a})=>t("div",{className:"swagger-ui"},s.map(u=>t(a(u,!0),{key:u}))),i=a=>u=>t("label",null,t("span",{className:"sr"},u.description),t(a,u)),o=(a,u)=>a?.querySelector("table[role=region]")?.setAttribute("aria-label",`Responses of ${u}`);return{components:{Contents:r},wrapComponents:{JsonSchemaForm:i,responses:a=>u=>t("div",{ref:d=>o(d,u.path)},t(a,u))}}}function Ao({SwaggerUI:e,spec:t},s,r){let i=matchMedia("(prefers-color-scheme: dark)"),o=document.documentElement.classList,c=()=>o.toggle("dark-mode",i.matches);return c(),i.addEventListener("change",c),s.replaceChildren(),e({spec:t,domNode:s,layout:"Contents",plugins:[Oo],requestInterceptor:a=>Object.assign(a,{userFetch:Co}),showMutatedRequest:!1,tryItOutEnabled:!0,onComplete:r,docExpansion:"list",defaultModelsExpandDepth:0,deepLinking:!1,syntaxHighlight:{activated:!1}}),()=>{i.removeEventListener("change",c),o.remove("dark-mode")}}var Nt={};K(Nt,{Search:()=>Mt,operations:()=>Po,shows:()=>To});var Po=["search_context"],To=({query:{q:e}})=>e?`the records that contain “${e}”`:"the newest records of all sources",Io=20,Gs=50;function Mt(){let{query:e}=v(R),[t,s]=b(Io),r=Q(e.q??""),i={q:r,source:e.source,after:Xs(e.after),before:Xs(e.before,1),limit:t},{body:o,error:c,isLoading:a,retry:u}=N("search_context",i),d=N("list_sources",{});return n`
    <h1 class="sr">Search</h1>
    <form class="searching" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="big"><span class="sr">Search all sources</span>
        <input type="search" maxlength="200" placeholder="Search all sources" value=${e.q??""}
          onInput=${l=>T({q:l.target.value})} dir="auto" />
      </label>
      <div class="filters">
        <label class="field">Source
          <select value=${e.source??""} onChange=${l=>T({source:l.target.value})}>
            <option value="">All</option>
            ${(d.body?.data??[]).map(l=>n`<option value=${l.id}>${l.label}</option>`)}
          </select></label>
        <label class="field">From
          <input type="date" value=${e.after??""} onChange=${l=>T({after:l.target.value})} /></label>
        <label class="field">To
          <input type="date" value=${e.before??""} onChange=${l=>T({before:l.target.value})} /></label>
      </div>
    </form>
    ${c&&n`<${I} error=${c} retry=${u} />`}
    ${!o&&a&&n`<${C} />`}
    ${o&&n`<${Ro} body=${o} term=${r} isLoading=${a} onMore=${t<Gs&&(()=>s(Gs))} />`}
  `}function Ro({body:e,term:t,isLoading:s,onMore:r}){let{query:i}=v(R),{items:o,hasMore:c}=e.data,a=ye(()=>Map.groupBy(o,m=>m.kind),[o]),u=[...a.keys()].sort(),d=a.has(i.kind)?i.kind:"",l=d?a.get(d):o;return n`
    <div class="chips" role="group" aria-label="Kinds">
      <button type="button" class="chip" aria-pressed=${!d} onClick=${()=>T({kind:""})}>all ${o.length}</button>
      ${u.map(m=>n`<button type="button" class="chip" aria-pressed=${d===m}
          onClick=${()=>T({kind:m})}>${m} ${a.get(m).length}</button>`)}
    </div>
    <p class="sr" role="status">${l.length} results</p>
    ${!l.length&&n`<${B}>No record contains this text. Search is literal: try other words, or fewer.<//>`}
    <ol class="results" aria-busy=${s}>
      ${l.map(m=>n`<${Mo} key=${`${m.kind} ${m.id}`} item=${m} term=${t} />`)}
    </ol>
    ${c&&n`<p class="actions">
      ${r?n`<button type="button" onClick=${r}>Show more</button>`:n`<span class="quiet">There are more results: narrow the search by source, time or text.</span>`}
    </p>`}
    <${L} meta=${e.meta} />
  `}function Mo({item:e,term:t}){let s=te(e.href),r=n`<${z} text=${e.title} term=${t} />`;return n`<li>
    <h2 dir="auto">${s?n`<a href=${s}>${r}</a>`:e.href?n`<${D} url=${e.href}>${r}<//>`:r}</h2>
    <p dir="auto"><${z} text=${e.preview} term=${t} /></p>
    <p class="byline"><span class="kind">${e.kind}</span> <span dir="auto">${e.sourceLabel}</span> ${e.updatedAt&&n`<${j} at=${e.updatedAt} />`}</p>
  </li>`}function Xs(e,t=0){if(!e)return;let s=new Date(`${e}T00:00`);return s.setDate(s.getDate()+t),Number.isNaN(s.getTime())?void 0:s.toISOString()}var No=[["One key, one organization","The key chooses the organization. No parameter can name another."],["Nothing is shown until it is approved","An owner or admin approves each source, and can withdraw it at any time."],["Every answer says how fresh it is","Stale data is marked as stale. No request reaches a provider."],["It is read-only","Programs read over REST and agents over MCP."]],Lo=`orgctx keys issue --organization ORGANIZATION --by MEMBER \\
    --access both --scope context:read,knowledge:read --expires-in-days 30`;function Qs(){let e=v(W);return n`
    <div class="hero">
      <h1>What your organization knows, <em>for the agents it trusts.</em></h1>
      <p class="lead">orgctx gives programs and AI agents read-only access to what one organization has stored and
        approved: documents, notes, files, chats, mentions, people, and one search over all of it.</p>
      <${Bo} />
    </div>
    <section class="card entrance" aria-labelledby="look">
      <h2 id="look">Look inside</h2>
      ${e?n`<p>You are using a key. It stays in the memory of this page until you reload it.</p>
            <p class="actions"><a class="button primary" href=${y("explore")}>Explore</a></p>`:n`<${he} onDone=${()=>location.assign(y("explore"))} />`}
    </section>
    <ul class="promises">${No.map(([t,s])=>n`<li><h2>${t}</h2><p>${s}</p></li>`)}</ul>
    <section class="split even">
      <div>
        <h2>How to get a key</h2>
        <p>Ask an owner or admin of your organization. The operator issues it on their behalf. It is shown
          once, has the scopes that were chosen, and expires after 7, 30 or 90 days.</p>
        <${Ve} text=${Lo} label="Command that issues a key" />
      </div>
      <div>
        <h2>Then</h2>
        <ul class="plain-list next">
          <li><a href=${y("connect")}>Connect a client</a> <span class="quiet">Claude Code, Cursor, VS Code and others</span></li>
          <li><a href=${y("explore")}>Explore the data</a> <span class="quiet">as the key sees it, each view with its request</span></li>
          <li><a href=${y("reference")}>Read the reference</a> <span class="quiet">${M.operations.length} operations, REST and MCP alike</span></li>
        </ul>
      </div>
    </section>
  `}function Bo(){let[e,t]=b(null),s=()=>fetch("readyz",{cache:"no-store"}).then(i=>i.json()).then(t,()=>t({status:"unreachable",checks:{}}));if(!e)return n`<p class="actions"><button type="button" onClick=${s}>Is the service ready?</button></p>`;let r=e.status==="ready";return n`<p class="readiness" role="status">
    <span class="status tone-${r?"current":"unavailable"}"><${Se} status=${r?"current":"unavailable"} />${r?"Ready":"Not ready"}</span>
    ${Object.entries(e.checks).map(([i,o])=>n`<span class="quiet">${i} ${o}</span>`)}
  </p>`}var Bt={};K(Bt,{Token:()=>Lt,operations:()=>Do,shows:()=>zo});var Do=["get_token"],zo=()=>"the stored summary of the linked token";function Lt(){let{body:e,error:t,retry:s}=N("get_token",{});if(t)return n`<${I} isWhole error=${t} retry=${s} />`;if(!e)return n`<${C} />`;let{connected:r,token:i,index:o,holders:c,latestFees:a,latestTradeAt:u,sources:d}=e.data;return n`
    <div class="masthead">
      <p class="eyebrow">Token</p>
      <h1 dir="auto">${i?`${i.name} (${i.symbol})`:"No token is stored"}</h1>
      <${L} meta=${e.meta} />
    </div>
    ${!r&&n`<${B}>The token is approved, but no snapshot of it is stored.<//>`}
    <dl class="figures large">
      ${c&&n`<div><dt>holders</dt><dd>${F(c.count)}</dd></div>`}
      ${a&&n`<div><dt>price, USD</dt><dd>${F(a.priceUsd)}</dd></div>`}
      ${u&&n`<div><dt>last trade</dt><dd><${j} at=${u} /></dd></div>`}
      ${o&&n`<div><dt>index</dt><dd><${me} status=${o.state} /></dd></div>`}
    </dl>
    <h2>Sources</h2>
    <table class="simple">
      <thead><tr><th scope="col">Part</th><th scope="col">Status</th><th scope="col">Updated</th><th scope="col">Note</th></tr></thead>
      <tbody>${Object.entries(d).map(([l,m])=>n`<tr>
        <th scope="row">${l}</th><td><${me} status=${m.status} /></td><td><${j} at=${m.updatedAt} /></td><td dir="auto">${m.note??""}</td>
      </tr>`)}</tbody>
    </table>
    <h2>Details</h2>
    <div class="blocks">
      <${Ye} title="Token" members=${i} />
      <${Ye} title="Index" members=${o} />
      <${Ye} title="Holders" members=${c} />
      <${Ye} title="Latest fees" members=${a} />
    </div>
  `}function Ye({title:e,members:t}){return t?n`<section class="card">
    <h3>${e}</h3>
    <dl class="facts">${Object.entries(t).map(([s,r])=>n`<div><dt>${s}</dt><dd dir="auto"><${Fo} value=${r} /></dd></div>`)}</dl>
  </section>`:null}function Fo({value:e}){return e===null?n`<span class="quiet">none</span>`:typeof e=="number"?String(e):/^\d{4}-\d\d-\d\dT/.test(e)?n`<${j} at=${e}>${J(e)}<//>`:/^https?:/.test(e)?n`<${D} url=${e} />`:n`<code>${/^\d+$/.test(e)?js(e):e}</code>`}var Vo=new URL(Ls,import.meta.url).href,er={start:"Start",connect:"Connect",explore:"Explore",reference:"Reference"},Ce={overview:{title:"Overview",view:At,...Pt},search:{title:"Search",view:Mt,...Nt},knowledge:{title:"Library",view:Ct,...kt},assets:{title:"Files",view:vt,...xt},chats:{title:"Chats",view:St,...Et},people:{title:"People",view:Tt,...It},mentions:{title:"Mentions",view:jt,...$t},token:{title:"Token",view:Lt,...Bt}};for(let[e,{operations:t,queries:s}]of Object.entries(Ce))Fs(e,t,s);function Uo(){let e=v(R),t=v(W),s=`${e.area}/${e.view}/${e.values.join("/")}`,r=P(null),i=P(!0);return E(()=>{document.title=`${Ce[e.view]?.title??er[e.area]??"Page not found"} · orgctx`,i.current||r.current.focus({preventScroll:!0}),i.current||scrollTo(0,0),i.current=!1},[s,t]),n`
    <a class="skip" href="#main" onClick=${c=>{c.preventDefault(),r.current.focus()}}>Skip to the content</a>
    <header class="bar">
      <a class="brand" href="#/"><img src=${Vo} alt="" width="26" height="26" />orgctx</a>
      <nav aria-label="Page"><ul>
        ${Object.entries(er).map(([c,a])=>n`<li><a href=${y(c==="start"?"":c)} aria-current=${e.area===c?"page":void 0}>${a}</a></li>`)}
      </ul></nav>
      <div class="who">${t&&n`<${Ms} /><button type="button" onClick=${ve}>Forget key</button>`}</div>
    </header>
    <main id="main" ref=${r} tabindex="-1" class=${e.area}>
      <${Dt} key=${e.area==="reference"?e.area:s}><${qo} here=${e} isConnected=${t} /><//>
    </main>
    <${Rs} />
  `}function qo({here:e,isConnected:t}){return e.area==="start"?n`<${Qs} />`:e.area==="connect"?n`<${Ds} view=${e.view} />`:e.area==="reference"?n`<${Ks} view=${e.view} />`:e.area==="explore"?t?n`<${Yo} here=${e} />`:n`<${Wo} here=${e} />`:n`<h1>Page not found</h1><p><a href="#/">Go to the start</a></p>`}function Wo({here:e}){let{title:t="Explore",operations:s,shows:r}=Ce[e.view||"overview"]??{},i=s?.flatMap(o=>be(o).scopes)??[];return n`<section class="card entrance">
    <h1>${t}</h1>
    ${r&&n`<p dir="auto">With a key, this address shows ${r(e)}.</p>
      <p class="quiet">The key needs the scope ${[...new Set(i)].map((o,c)=>n`${c>0&&" or "}<code>${o}</code>`)}.</p>`}
    <${he} />
  </section>`}function Yo({here:e}){let t=e.view||"overview",{view:s,operations:r=[]}=Ce[t]??{},i=v(ue)>0;return bs(t),n`<div class="explore-frame">
    <nav class="views" aria-label="Views"><ul class="menu"><${Jo} name=${t} /></ul></nav>
    <div class="view" aria-busy=${i}>
      ${s?n`<${s} values=${e.values} query=${e.query} />`:n`<h1>View not found</h1>`}
      <${qe} operations=${r} />
    </div>
  </div>`}function Jo({name:e}){let t=v(Be),s=r=>!t||be(r).scopes.some(i=>t.includes(i));return Object.entries(Ce).filter(([,{operations:r}])=>r.some(s)).map(([r,{title:i}])=>n`<li><a href=${y("explore",r)} aria-current=${r===e?"page":void 0}>${i}</a></li>`)}var Dt=class extends ne{state={error:null};static getDerivedStateFromError(t){return{error:t}}render({children:t},{error:s}){return s?n`<div class="trouble" role="alert"><h1>This view failed</h1>
      <p>No data was changed. Reload the page, or report this to the operator: <code>${String(s.message)}</code></p></div>`:t}};Ss();st(n`<${Uo} />`,document.getElementById("app"));
